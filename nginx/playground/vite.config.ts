import { defineConfig } from 'vite';

export default defineConfig({
  base: './', // wherever it is put
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // `data:` is not 'self'
  },
});
