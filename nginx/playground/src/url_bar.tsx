// The URL: written as the tree is ticked, or typed and pasted, with its mistakes underlined.
import { corrected, locate, type Marked } from './names';
import { edit, mistakes, run, setText, state } from './state';
import { writeQuery } from './write_query';

function Written({ text, found }: { text: string; found: Marked[] }) {
  const pieces = [];
  let from = 0;
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    if (start < from) continue;
    pieces.push(<Quiet text={text.slice(from, start)} />, <mark>{text.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <pre aria-hidden="true">
      {pieces}
      <Quiet text={text.slice(from)} />{' '}
    </pre>
  );
}

// Punctuation steps back.
function Quiet({ text }: { text: string }) {
  return <>{text.split(/([?&=[\]]+)/).map((piece, i) => (i % 2 ? <i>{piece}</i> : piece))}</>;
}

export function UrlBar() {
  const { text, waiting, live } = state;
  const all = mistakes();
  const found = locate(text, all);
  const short = writeQuery(state.query, state.model);
  const canShorten = short.length < text.length && !all.length;
  return (
    <form class="url-bar" role="search" onSubmit={(event) => (event.preventDefault(), void run())}>
      <label class="url">
        <span class="unseen">URL</span>
        <b>GET</b>
        <span class="written">
          <Written text={text} found={found} />
          <textarea
            id="url"
            rows={1}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            aria-invalid={all.some(({ name }) => name)}
            aria-describedby="mistakes"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.isComposing) {
                event.preventDefault();
                void run();
              }
            }}
          />
        </span>
      </label>
      <button class="main" type="submit" aria-busy={waiting} title="Ctrl+Enter from anywhere">
        Run
      </button>
      <label class="live">
        <input type="checkbox" checked={live} onChange={() => (state.live = !live)} /> as I go
      </label>
      <ul id="mistakes" class="mistakes" aria-live="polite">
        {all.map((mistake) => {
          const place = found.find((one) => one.mistake === mistake);
          return (
            <li key={mistake.place + mistake.name}>
              {mistake.message}
              {!mistake.message.startsWith(mistake.place) && <code>{mistake.place}</code>}
              {mistake.nearest && place && (
                <button type="button" onClick={() => setText(corrected(text, place))}>
                  use <b>{mistake.nearest}</b>
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {canShorten && (
        <p class="shorter">
          The same in {short.length} instead of {text.length} characters.{' '}
          <button type="button" onClick={() => edit(() => {})}>
            Shorten
          </button>
        </p>
      )}
    </form>
  );
}
