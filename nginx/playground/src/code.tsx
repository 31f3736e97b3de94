// The request in the words of those who will send it.
import { useRef, useState } from 'preact/hooks';
import { responseType } from './response_type';
import { headersOf } from './ask';
import { copyText } from './clipboard';
import { literal, nameOf } from './literal';
import { type Dictionary } from './query_string';
import { shareLink, state } from './state';
import { queryValue } from './write_query';

const quoted = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;

// The token is a secret: code names a variable in its place.
function snippets(): [name: string, text: string][] {
  const url = new URL(state.text, location.origin).href.replace(/'/g, '%27');
  const { token, format, query, model } = state;
  const headers = Object.entries(headersOf({ token: token && '${token}', format }));
  const tree: Dictionary = queryValue(query, model);
  const written = headers.map(([name, value]) => `${nameOf(name)}: \`${value}\``);
  const header = headers.length ? `, {\n  headers: { ${written.join(', ')} },\n}` : '';
  const options = headers.map(([name, value]) => `-H "${name}: ${value.replace('${token}', '$TOKEN')}" `);
  return [
    ['URL', url],
    ['curl', `curl -g ${options.join('')}${quoted(url)}`],
    ['fetch', `const response = await fetch('${url}'${header});\nconst { data, meta } = await response.json();`],
    [
      'qs',
      `import qs from 'qs';\n\nconst query = qs.stringify(${literal(tree)}, { encodeValuesOnly: true });\n` +
        `const response = await fetch(\`${location.origin}${query.path}?\${query}\`${header});`,
    ],
    ['TypeScript of the answer', responseType(query, model, format === 'v4')],
    ['Link to this page', shareLink()],
  ];
}

function Snippet({ name, text }: { name: string; text: string }) {
  const [copied, setCopied] = useState({ text: '', result: '' });
  const shown = useRef<HTMLPreElement>(null);
  const copy = async () =>
    setCopied({ text, result: (await copyText(text, shown.current!)) ? 'copied' : 'press Ctrl+C' });
  return (
    <section class="snippet">
      <h3>
        {name}
        <button type="button" aria-live="polite" onClick={() => void copy()}>
          {copied.text === text ? copied.result : 'copy'}
        </button>
      </h3>
      <pre ref={shown} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

export function CodeView() {
  return <>{snippets().map(([name, text]) => text && <Snippet key={name} name={name} text={text} />)}</>;
}
