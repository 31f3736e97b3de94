// The request in the words of those who will send it.
import { useState } from 'preact/hooks';
import { type Dictionary, type Value } from './query_string';
import { shareLink, state } from './state';
import { queryValue } from './write_query';

// As JavaScript is written: names without quotes where they need none.
function literal(value: Value, indent = ''): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
  if (value === null) return 'null';
  const deeper = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(
        ([name, item]) => `${/^[\w$]+$/.test(name) ? name : literal(name)}: ${literal(item, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const line = `${open}${Array.isArray(value) ? '' : ' '}${members.join(', ')}${Array.isArray(value) ? '' : ' '}${close}`;
  if (!members.length) return open + close;
  return line.length + indent.length < 70 && !line.includes('\n')
    ? line
    : `${open}\n${members.map((member) => `${deeper}${member},\n`).join('')}${indent}${close}`;
}

const quoted = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;

// The token is a secret: code names a variable in its place.
function snippets(): [name: string, text: string][] {
  const url = new URL(state.text, location.origin).href.replace(/'/g, '%27');
  const { token, query, model } = state;
  const tree: Dictionary = queryValue(query, model);
  const header = token ? `, {\n  headers: { Authorization: \`Bearer \${token}\` },\n}` : '';
  return [
    ['URL', url],
    ['curl', `curl -g ${token ? `-H "Authorization: Bearer $TOKEN" ` : ''}${quoted(url)}`],
    ['fetch', `const response = await fetch('${url}'${header});\nconst { data, meta } = await response.json();`],
    [
      'qs',
      `import qs from 'qs';\n\nconst query = qs.stringify(${literal(tree)}, { encodeValuesOnly: true });\n` +
        `const response = await fetch(\`${location.origin}${query.path}?\${query}\`${header});`,
    ],
    ['Link to this page', shareLink()],
  ];
}

function Snippet({ name, text }: { name: string; text: string }) {
  const [copied, setCopied] = useState('');
  const copy = async () => {
    await navigator.clipboard
      .writeText(text)
      .then(() => setCopied(text))
      .catch(() => {});
  };
  return (
    <section class="snippet">
      <h3>
        {name}
        <button type="button" onClick={() => void copy()}>
          {copied === text ? 'copied' : 'copy'}
        </button>
      </h3>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

export function CodeView() {
  return (
    <>
      {snippets().map(([name, text]) => (
        <Snippet key={name} name={name} text={text} />
      ))}
    </>
  );
}
