import { About } from './about';
import { ResponseView, Headers, Stages, Status } from './response';
import { type Format } from './ask';
import { Caller } from './caller';
import { CodeView } from './code';
import { Entries, RouteChoice } from './entries';
import { ExampleBar } from './example_bar';
import { stepAcross } from './keyboard';
import { routeOf } from './model';
import { History } from './past';
import { PlanView } from './plan';
import { Search } from './search';
import { run, show, state, type View } from './state';
import { Level, walk } from './tree';
import { UrlBar } from './url_bar';

function FormatChoice() {
  const choose = (format: string) => {
    state.format = format as Format;
    void run();
  };
  return (
    <select
      id="format"
      aria-label="format"
      title="The form of entries: flat, or v4, as Strapi 4 has them"
      value={state.format}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">flat</option>
      <option value="v4">v4</option>
    </select>
  );
}

const views: [View, string][] = [
  ['query', 'Query'],
  ['answer', 'Answer'],
  ['plan', 'Plan'],
  ['code', 'Copy'],
];

function Tabs() {
  return (
    <div class="tabs" role="tablist" aria-label="views" onKeyDown={(event) => stepAcross(event)?.click()}>
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
            fields, populate <small>{root.fields.length ? '' : 'no field ticked: all are answered'}</small>
          </h3>
          <Level types={[found.route.type]} selection={root} reach={() => root} place="" />
        </div>
      )}
      <About />
    </div>
  );
}

// Escape leads back to what opened it.
function closeDrop(event: KeyboardEvent): void {
  const open = (event.target as HTMLElement).closest<HTMLDetailsElement>('details[open]');
  if (event.key !== 'Escape' || !open) return;
  open.open = false;
  open.querySelector('summary')!.focus();
}

export function Page() {
  const { response, view, waiting } = state;
  return (
    <div
      class="page"
      data-view={view}
      onKeyDown={(event) =>
        event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented && void run()
      }
    >
      <header onKeyDown={closeDrop}>
        <h1>Playground</h1>
        <Search />
        <History />
        {state.model.documents && <FormatChoice />}
        <Caller />
      </header>
      <ExampleBar />
      <UrlBar />
      <Status response={response} waiting={waiting} />
      <Tabs />
      <main>
        <QueryView />
        <div class="result">
          <Stages response={response} />
          <div
            role="tabpanel"
            id={view === 'query' ? 'view-answer' : `view-${view}`}
            aria-labelledby={`tab-${view}`}
            class="panel"
          >
            {view === 'plan' ? (
              <PlanView explanation={response?.explanation ?? null} asked={response !== null} />
            ) : view === 'code' ? (
              <CodeView />
            ) : (
              <>
                <Headers response={response} />
                <ResponseView response={response} />
              </>
            )}
          </div>
        </div>
      </main>
    </div>
  );
}
