// The URL: written as the tree is ticked, or typed and pasted, with its errors underlined.
import { corrected, locate } from './names';
import { edit, errors, run, setText, state } from './state';
import { UrlField } from './url_field';
import { writeQuery } from './write_query';

export function UrlBar() {
  const { text, waiting, live } = state;
  const all = errors();
  const found = locate(text, all);
  const short = writeQuery(state.query, state.model);
  const canShorten = short.length < text.length && !all.length;
  return (
    <form class="url-bar" role="search" onSubmit={(event) => (event.preventDefault(), void run())}>
      <UrlField text={text} found={found} invalid={all.some(({ name }) => name)} />
      <button class="main" type="submit" aria-busy={waiting} title="Ctrl+Enter from anywhere">
        Run
      </button>
      <label class="live">
        <input type="checkbox" checked={live} onChange={() => (state.live = !live)} /> as I go
      </label>
      <ul id="mistakes" class="mistakes" aria-live="polite">
        {all.map((error) => {
          const place = found.find((one) => one.error === error);
          return (
            <li key={error.place + error.name}>
              {error.message}
              {!error.message.startsWith(error.place) && <code>{error.place}</code>}
              {error.nearest && place && (
                <button type="button" onClick={() => setText(corrected(text, place))}>
                  use <b>{error.nearest}</b>
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
