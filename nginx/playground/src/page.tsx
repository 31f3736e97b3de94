import { About } from './about';
import { AnswerView, duration, Headers, Stages, Status } from './answer';
import { type Format } from './ask';
import { CodeView } from './code';
import { Entries, RouteChoice } from './entries';
import { routeOf } from './model';
import { PlanView } from './plan';
import { forget, run, setText, show, state, type View } from './state';
import { Level, walk } from './tree';
import { UrlBar } from './url_bar';

function Token() {
  return (
    <form onSubmit={(event) => (event.preventDefault(), void run())}>
      <input
        type="password"
        id="token"
        aria-label="token"
        autocomplete="off"
        placeholder="token, or public"
        value={state.token}
        onInput={(event) => void (state.token = event.currentTarget.value.trim())}
        onChange={() => void run()}
      />
    </form>
  );
}

function FormatChoice() {
  const choose = (format: string) => {
    state.format = format as Format;
    void run();
  };
  return (
    <select
      id="format"
      aria-label="format"
      value={state.format}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">flat</option>
      <option value="v4">as Strapi 4</option>
    </select>
  );
}

function History() {
  const again = (url: string, button: HTMLElement) => {
    button.closest('details')!.open = false;
    setText(url);
    void run();
  };
  return (
    <details class="past">
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

const views: [View, string][] = [
  ['query', 'Query'],
  ['answer', 'Answer'],
  ['plan', 'Plan'],
  ['code', 'Copy'],
];

function Tabs() {
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const tabs = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button')].filter(
      (tab) => tab.offsetParent,
    );
    const next = tabs[(tabs.indexOf(event.target as HTMLElement) + by + tabs.length) % tabs.length];
    next.click();
    next.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="views" onKeyDown={step}>
      {views.map(([view, name]) => (
        <button
          type="button"
          role="tab"
          id={`tab-${view}`}
          aria-controls={`view-${view}`}
          aria-selected={state.view === view}
          tabIndex={state.view === view ? 0 : -1}
          onClick={() => show(view)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function QueryView() {
  const found = routeOf(state.model, state.query.path);
  const { root } = state.query;
  return (
    <div class="query" id="view-query">
      <RouteChoice />
      {found && <Entries route={found.route} />}
      {found?.route.parameters.has('populate') && (
        <div class="tree" onKeyDown={walk}>
          <h3>
            Contents <small>{root.fields.length ? '' : 'no field ticked: all are answered'}</small>
          </h3>
          <Level types={[found.route.type]} selection={root} reach={() => root} place="" />
        </div>
      )}
      <About />
    </div>
  );
}

export function Page() {
  const { answer, view, waiting } = state;
  return (
    <div
      class="page"
      data-view={view}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void run()}
    >
      <header>
        <h1>Playground</h1>
        <History />
        {state.model.documents && <FormatChoice />}
        <Token />
      </header>
      <UrlBar />
      <Status answer={answer} waiting={waiting} />
      <Tabs />
      <main>
        <QueryView />
        <div class="result">
          <Stages answer={answer} />
          <div
            role="tabpanel"
            id={view === 'query' ? 'view-answer' : `view-${view}`}
            aria-labelledby={`tab-${view}`}
            class="panel"
          >
            {view === 'plan' ? (
              <PlanView explanation={answer?.explanation ?? null} asked={answer !== null} />
            ) : view === 'code' ? (
              <CodeView />
            ) : (
              <>
                <Headers answer={answer} />
                <AnswerView answer={answer} />
              </>
            )}
          </div>
        </div>
      </main>
    </div>
  );
}
