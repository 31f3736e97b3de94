// Which entries of the root: the route, filters, order, page, language, drafts.
import { type ComponentChildren } from 'preact';
import { FilterList } from './filters';
import { type ContentType, listOf, type Route, routeOf } from './model';
import { drafts, Setting, SortList } from './refinement';
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
        <span>Ask for</span>
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

const yesNo: [string, string][] = [
  ['', 'yes'],
  ['false', 'no'],
];

const versions: [string, string][] = [
  ['', 'published'],
  ['draft', 'draft'],
];

export function Entries({ route }: { route: Route }) {
  const { model } = state;
  const { root, parameters } = state.query;
  const types: ContentType[] = [route.type];
  const has = (name: string): boolean => route.parameters.has(name);
  const of = (...names: string[]): number => names.filter((name) => parameters.has(name)).length;
  const paging = ['page', 'pageSize', 'start', 'limit', 'withCount'].map((name) => `pagination[${name}]`);
  return (
    <>
      {has('filters') && (
        <Section name="Filter" count={root.filters.length}>
          <FilterList filters={root.filters} types={types} />
        </Section>
      )}
      {has('sort') && (
        <Section name="Sort" count={root.sort.length}>
          <SortList selection={root} types={types} />
        </Section>
      )}
      {has('pagination') && (
        <Section name="Page" count={of(...paging)}>
          <div class="settings">
            <Setting of={parameters} name="pagination[page]" label="page" hint="1" />
            <Setting of={parameters} name="pagination[pageSize]" label="page size" hint="25" />
            <Setting of={parameters} name="pagination[start]" label="or start" hint="0" />
            <Setting of={parameters} name="pagination[limit]" label="limit" hint="25" />
            <Setting of={parameters} name="pagination[withCount]" label="total" choices={yesNo} />
          </div>
        </Section>
      )}
      {!has('pagination') && has('limit') && (
        <Section name="Page" count={of('start', 'limit')}>
          <div class="settings">
            <Setting of={parameters} name="start" label="start" hint="0" />
            <Setting of={parameters} name="limit" label="limit" hint="all" />
          </div>
        </Section>
      )}
      {(has('_q') || has('publicationState') || has('status')) && (
        <Section
          name="Language, drafts, search"
          count={of('locale', 'publicationState', 'status', 'publicationFilter', '_q')}
        >
          <div class="settings">
            {has('locale') && <Setting of={parameters} name="locale" label="language" hint="default, de, all …" />}
            {has('publicationState') && route.type.draftAndPublish && (
              <Setting
                of={parameters}
                name="publicationState"
                label="drafts"
                choices={[['', 'published'], ...drafts.slice(2)]}
              />
            )}
            {has('status') && route.type.draftAndPublish && (
              <Setting of={parameters} name="status" label="version" choices={versions} />
            )}
            {has('publicationFilter') && route.type.draftAndPublish && (
              <Setting
                of={parameters}
                name="publicationFilter"
                label="of which"
                choices={[['', 'any'], ...model.publicationFilters.map((one): [string, string] => [one, one])]}
              />
            )}
            {has('_q') && <Setting of={parameters} name="_q" label="search" hint="text in any attribute" />}
          </div>
        </Section>
      )}
    </>
  );
}
