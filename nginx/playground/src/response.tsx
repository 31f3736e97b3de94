// What came: status, time, size, where the time went, the JSON.
import { type ServerResponse } from './ask';
import { JsonView } from './json';
import { Pictures } from './pictures';
import { errorOf } from './state';

const size = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`);
export const duration = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(2)} ms` : `${Math.round(milliseconds)} ms`;

const kind = (status: number): string => (status >= 200 && status < 400 ? 'good' : 'bad');

const statements = ({ explanation }: ServerResponse): number =>
  (explanation?.nodes ?? []).reduce((sum, node) => sum + node.statements, explanation?.total ? 1 : 0);

// `articles-21.json` of /api/articles/21?…
function fileName({ url, body }: ServerResponse): string {
  const [path] = url.split('?', 1);
  const extension = /\bjson\b/.test(body.type) ? 'json' : /\bhtml\b/.test(body.type) ? 'html' : 'txt';
  return `${path.replace(/^\/(api\/)?/, '').replace(/[^\w.-]+/g, '-') || 'answer'}.${extension}`;
}

function download(response: ServerResponse): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(response.body);
  link.download = fileName(response);
  link.click();
  URL.revokeObjectURL(link.href);
}

export function Status({ response, waiting }: { response: ServerResponse | null; waiting: boolean }) {
  if (!response) return <p class="status">{waiting ? 'asking …' : ''}</p>;
  const count = statements(response);
  return (
    <p class={`status ${waiting ? 'waiting' : ''}`} aria-live="polite" aria-busy={waiting} data-url={response.url}>
      <b class={kind(response.status)} id="status">
        {response.status || 'no answer'}
      </b>
      <span>{duration(response.milliseconds)} here</span>
      <span>{size(response.body.size)}</span>
      {count > 0 && (
        <span>
          {count} {count === 1 ? 'statement' : 'statements'}
        </span>
      )}
      {response.body.size > 0 && (
        <button type="button" onClick={() => download(response)}>
          Download
        </button>
      )}
    </p>
  );
}

// One bar, cut by stage. What the server says in Server-Timing, else what it explained.
export function Stages({ response }: { response: ServerResponse | null }) {
  const said = response?.stages.length ? response.stages : Object.entries(response?.explanation?.stages ?? {});
  const stages = said.filter(([name]) => name !== 'total');
  const sum = stages.reduce((total, [, milliseconds]) => total + milliseconds, 0);
  const total = said.find(([name]) => name === 'total')?.[1] ?? sum;
  if (!stages.length || sum <= 0) return null;
  return (
    <figure class="stages">
      <div class="bar" aria-hidden="true">
        {stages.map(([name, milliseconds]) => (
          <i
            class={`stage ${name}`}
            style={{ flexGrow: milliseconds / sum }}
            title={`${name} ${duration(milliseconds)}`}
          />
        ))}
      </div>
      <figcaption>
        <b>{duration(total)} in the server</b>
        {stages.map(([name, milliseconds]) => (
          <span>
            <i class={`stage ${name}`} />
            {name} {milliseconds.toFixed(2)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

// What tells how the response is kept, and by which name logs know the request.
const isNotable = (name: string): boolean =>
  /^(cache-control|age|etag|expires|x-request-id|x-cache.*|cf-cache-status)$/.test(name);

// Folded, the notable ones.
export function Headers({ response }: { response: ServerResponse | null }) {
  if (!response?.headers.length) return null;
  const list = (headers: ServerResponse['headers']) =>
    headers.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt> <dd>{value}</dd>
      </div>
    ));
  return (
    <details class="headers">
      <summary>
        Headers <dl>{list(response.headers.filter(([name]) => isNotable(name)))}</dl>
      </summary>
      <dl>{list(response.headers)}</dl>
    </details>
  );
}

// An error is told below the URL, and not a second time here, unless it is asked for.
export function ResponseView({ response }: { response: ServerResponse | null }) {
  if (!response) return null;
  if (response.json === undefined) return <pre class="text">{response.text}</pre>;
  const json = <JsonView key={response.url} value={response.json} />;
  return errorOf(response).message && response.status >= 400 ? (
    <details class="refusal">
      <summary>The answer as it came</summary>
      {json}
    </details>
  ) : (
    <>
      <Pictures json={response.json} />
      {json}
    </>
  );
}
