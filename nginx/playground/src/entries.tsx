// Which entries of the root: the route, and the parameters that it takes.
import { type ComponentChildren } from 'preact';
import { FilterList } from './filters';
import { type ContentType, listOf, type Route, routeOf } from './model';
import { type Choices, preview, Setting, SortList } from './refinement';
import { fold, isOpen, setPath, state } from './state';

const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

// Routes to lists and single types; one entry is reached by the key beside them.
export function RouteChoice() {
  const { model, query } = state;
  const found = routeOf(model, query.path);
  const listed = model.routes.filter((route) => !route.key);
  const list = found?.route.key ? listOf(found.route) : query.path;
  const key = model.routes.find((route) => route.key && listOf(route) === list)?.key;
  const id = found?.route.key ? idOf(query.path) : '';
  const label = (route: Route): string => route.path.replace(/^\/api\//, '');
  return (
    <div class="route">
      <label>
        <span>Type</span>
        <select id="route" value={list} onChange={(event) => setPath(event.currentTarget.value)}>
          {listed.some((route) => route.path === list) || <option value={list}>{list}</option>}
          {listed.map((route) => (
            <option value={route.path}>{label(route)}</option>
          ))}
        </select>
      </label>
      {key && (
        <label>
          <span>{key}</span>
          <input
            id="entry"
            inputMode={key === 'id' ? 'numeric' : 'text'}
            placeholder="all"
            autocomplete="off"
            value={id}
            onInput={(event) => {
              const text = event.currentTarget.value.trim();
              setPath(text ? `${list}/${encodeURIComponent(text)}` : list);
            }}
          />
        </label>
      )}
    </div>
  );
}

function Section({ name, count, children }: { name: string; count: number; children: ComponentChildren }) {
  const place = `section ${name}`;
  const open = isOpen(place, count > 0);
  return (
    <section class="entries">
      <h3>
        <button type="button" aria-expanded={open} onClick={() => fold(place, !open)}>
          {name} {count > 0 && <b>{count}</b>}
        </button>
      </h3>
      {open && <div>{children}</div>}
    </section>
  );
}

const counted: Choices = [
  ['', 'true'],
  ['false', 'false'],
];

export function Entries({ route }: { route: Route }) {
  const { root, parameters } = state.query;
  const types: ContentType[] = [route.type];
  const has = (name: string): boolean => route.parameters.has(name);
  const of = (names: string[]): number => names.filter((name) => parameters.has(name)).length;
  const paging = ['page', 'pageSize', 'start', 'limit', 'withCount'].map((name) => `pagination[${name}]`);
  const versions = route.type.draftAndPublish ? ['publicationState', 'status', 'publicationFilter'] : [];
  const others = ['locale', ...versions, '_q'].filter(has);
  const choices: Record<string, Choices> = {
    publicationState: [['', 'live'], preview],
    status: [
      ['', 'published'],
      ['draft', 'draft'],
    ],
    publicationFilter: [['', 'any'], ...state.model.publicationFilters.map((one): [string, string] => [one, one])],
  };
  const hints: Record<string, string> = { locale: 'the default', _q: 'text in any attribute' };
  return (
    <>
      {has('filters') && (
        <Section name="filters" count={root.filters.length}>
          <FilterList filters={root.filters} types={types} />
        </Section>
      )}
      {has('sort') && (
        <Section name="sort" count={root.sort.length}>
          <SortList selection={root} types={types} />
        </Section>
      )}
      {has('pagination') && (
        <Section name="pagination" count={of(paging)}>
          <div class="settings">
            <Setting of={parameters} name="pagination[page]" hint="1" />
            <Setting of={parameters} name="pagination[pageSize]" hint="25" />
            <Setting of={parameters} name="pagination[start]" hint="0" />
            <Setting of={parameters} name="pagination[limit]" hint="25" />
            <Setting of={parameters} name="pagination[withCount]" choices={counted} />
          </div>
        </Section>
      )}
      {!has('pagination') && has('limit') && (
        <Section name="start, limit" count={of(['start', 'limit'])}>
          <div class="settings">
            <Setting of={parameters} name="start" hint="0" />
            <Setting of={parameters} name="limit" hint="all" />
          </div>
        </Section>
      )}
      {others.length > 0 && (
        <Section name={others.join(', ')} count={of(others)}>
          <div class="settings">
            {others.map((name) => (
              <Setting key={name} of={parameters} name={name} choices={choices[name]} hint={hints[name]} />
            ))}
          </div>
        </Section>
      )}
    </>
  );
}
