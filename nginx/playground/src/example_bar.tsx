// Examples for the type that is chosen, by parameter: a click sends one.
import { useMemo } from 'preact/hooks';
import { examplesOf, type Sample } from './examples';
import { stepAcross } from './keyboard';
import { listOf, type Route, routeOf } from './model';
import { state, visit } from './state';

function Groups({ route, sample, path }: { route: Route; sample: Sample; path: string }) {
  return (
    <>
      {examplesOf(state.model, route, sample).map(({ parameter, examples }, group) => (
        <div key={parameter} role="group" aria-label={parameter}>
          <b>{parameter}</b>
          {examples.map(({ name, query }, i) => (
            <button
              key={name}
              type="button"
              title={query}
              tabIndex={group || i ? -1 : 0}
              onClick={() => visit(`${path}?${query}`)}
            >
              {name}
            </button>
          ))}
        </div>
      ))}
    </>
  );
}

export function ExampleBar() {
  const { model, query, samples } = state;
  const { path } = query;
  const route = routeOf(model, path)?.route;
  const sample = route && samples.get(listOf(route));
  // Made once for a type, not with each tick.
  const groups = useMemo(() => route && sample && <Groups {...{ route, sample, path }} />, [route, sample, path]);
  if (!route || sample === null) return null;
  return (
    <div class="examples" role="toolbar" aria-label="examples" aria-busy={!sample} onKeyDown={stepAcross}>
      <span>Examples</span>
      {groups}
    </div>
  );
}
