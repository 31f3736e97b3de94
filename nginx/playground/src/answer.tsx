// What came: status, time, size, where the time went, the JSON.
import { type Answer } from './ask';
import { JsonView } from './json';
import { errorOf } from './state';

const size = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`);
export const duration = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(2)} ms` : `${Math.round(milliseconds)} ms`;

const kind = (status: number): string => (status >= 200 && status < 400 ? 'good' : 'bad');

const statements = ({ explanation }: Answer): number =>
  (explanation?.nodes ?? []).reduce((sum, node) => sum + node.statements, explanation?.total ? 1 : 0);

export function Status({ answer, waiting }: { answer: Answer | null; waiting: boolean }) {
  if (!answer) return <p class="status">{waiting ? 'asking …' : ''}</p>;
  const count = statements(answer);
  return (
    <p class={`status ${waiting ? 'waiting' : ''}`} aria-live="polite" aria-busy={waiting} data-url={answer.url}>
      <b class={kind(answer.status)} id="status">
        {answer.status || 'no answer'}
      </b>
      <span>{duration(answer.milliseconds)} here</span>
      <span>{size(answer.bytes)}</span>
      {count > 0 && (
        <span>
          {count} {count === 1 ? 'statement' : 'statements'}
        </span>
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
    json
  );
}
