// What was asked before.
import { duration } from './response';
import { forget, state, visit } from './state';

export function History() {
  const again = (url: string, button: HTMLElement) => {
    button.closest('details')!.open = false;
    visit(url);
  };
  return (
    <details class="drop past" name="drop">
      <summary>History</summary>
      <div>
        <ol>
          {state.past.map(({ url, status, milliseconds }) => (
            <li key={url}>
              <button type="button" onClick={(event) => again(url, event.currentTarget)}>
                <b class={status < 400 ? 'good' : 'bad'}>{status}</b> <code>{url}</code>{' '}
                <small>{duration(milliseconds)}</small>
              </button>
            </li>
          ))}
        </ol>
        {state.past.length ? (
          <button type="button" onClick={forget}>
            forget all
          </button>
        ) : (
          <p class="hint">Nothing was asked yet.</p>
        )}
      </div>
    </details>
  );
}
