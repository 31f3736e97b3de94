// What came: status, time, size, where the time went, the JSON.
import { type Answer } from './ask';
import { JsonView } from './json';
import { Pictures } from './pictures';
import { errorOf } from './state';

const size = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`);
export const duration = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(2)} ms` : `${Math.round(milliseconds)} ms`;

const kind = (status: number): string => (status >= 200 && status < 400 ? 'good' : 'bad');

const statements = ({ explanation }: Answer): number =>
  (explanation?.nodes ?? []).reduce((sum, node) => sum + node.statements, explanation?.total ? 1 : 0);

// `articles-21.json` of /api/articles/21?…
function fileName({ url, body }: Answer): string {
  const [path] = url.split('?', 1);
  const extension = /\bjson\b/.test(body.type) ? 'json' : /\bhtml\b/.test(body.type) ? 'html' : 'txt';
  return `${path.replace(/^\/(api\/)?/, '').replace(/[^\w.-]+/g, '-') || 'answer'}.${extension}`;
}

function download(answer: Answer): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(answer.body);
  link.download = fileName(answer);
  link.click();
  URL.revokeObjectURL(link.href);
}

export function Status({ answer, waiting }: { answer: Answer | null; waiting: boolean }) {
  if (!answer) return <p class="status">{waiting ? 'asking …' : ''}</p>;
  const count = statements(answer);
  return (
    <p class={`status ${waiting ? 'waiting' : ''}`} aria-live="polite" aria-busy={waiting} data-url={answer.url}>
      <b class={kind(answer.status)} id="status">
        {answer.status || 'no answer'}
      </b>
      <span>{duration(answer.milliseconds)} here</span>
      <span>{size(answer.body.size)}</span>
      {count > 0 && (
        <span>
          {count} {count === 1 ? 'statement' : 'statements'}
        </span>
      )}
      {answer.body.size > 0 && (
        <button type="button" onClick={() => download(answer)}>
          Download
        </button>
      )}
    </p>
  );
}

// One bar, cut by stage. What the server says in Server-Timing, else what it explained.
export function Stages({ answer }: { answer: Answer | null }) {
  const said = answer?.stages.length ? answer.stages : Object.entries(answer?.explanation?.stages ?? {});
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

// What tells how the answer is kept, and by which name logs know the request.
const isNotable = (name: string): boolean =>
  /^(cache-control|age|etag|expires|x-request-id|x-cache.*|cf-cache-status)$/.test(name);

// Folded, the notable ones.
export function Headers({ answer }: { answer: Answer | null }) {
  if (!answer?.headers.length) return null;
  const list = (headers: Answer['headers']) =>
    headers.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt> <dd>{value}</dd>
      </div>
    ));
  return (
    <details class="headers">
      <summary>
        Headers <dl>{list(answer.headers.filter(([name]) => isNotable(name)))}</dl>
      </summary>
      <dl>{list(answer.headers)}</dl>
    </details>
  );
}

// An error is told below the URL, and not a second time here, unless it is asked for.
export function AnswerView({ answer }: { answer: Answer | null }) {
  if (!answer) return null;
  if (answer.json === undefined) return <pre class="text">{answer.text}</pre>;
  const json = <JsonView key={answer.url} value={answer.json} />;
  return errorOf(answer).message && answer.status >= 400 ? (
    <details class="refusal">
      <summary>The answer as it came</summary>
      {json}
    </details>
  ) : (
    <>
      <Pictures json={answer.json} />
      {json}
    </>
  );
}
