// What is asked: the typed form of a URL, which the page shows as a tree. Names need not exist.
import { type Dictionary } from './query_string';

// A comparison of an attribute, which may belong to a related entry.
export interface Comparison {
  path: string[];
  operator: string;
  negated: boolean; // inside a `$not` of the attribute
  values: (string | null)[]; // none: it is still to be written
}

// Several filters under `$and`, `$or` or `$not`; `path` leads to the relation that they look at.
export interface Group {
  path: string[];
  operator: string;
  members: Filters[];
}

export type Filters = (Comparison | Group)[]; // all of them must hold

export interface SortKey {
  path: string;
  descending: boolean;
}

// What is asked of an entry, a component, a file, or of all parts of a zone.
export interface Selection {
  fields: string[]; // none: all
  populate: Map<string, Selection>;
  deep: string; // `deep,2`, as it is written: everything
  parts: Map<string, Selection>; // `on`; hides everything beside it
  filters: Filters;
  sort: SortKey[];
  options: Map<string, string>; // count, limit, …
  rest: Dictionary; // what is none of these, or in a form that says something else, as it came
}

export interface Query {
  path: string;
  root: Selection; // without options
  parameters: Map<string, string>; // of the root: locale, pagination[page], …
}

export const selectionOptions = ['start', 'limit', 'ordering', 'count', 'publicationState'];

export const rootParameters = [
  ...['page', 'pageSize', 'start', 'limit', 'withCount'].map((name) => `pagination[${name}]`),
  ...['locale', 'publicationState', '_q', 'start', 'limit'],
];
// Those that only some servers know.
export const documentParameters = ['status', 'publicationFilter'];

export const emptySelection = (): Selection => ({
  fields: [],
  populate: new Map(),
  deep: '',
  parts: new Map(),
  filters: [],
  sort: [],
  options: new Map(),
  rest: {},
});

export const emptyQuery = (path: string): Query => ({
  path,
  root: emptySelection(),
  parameters: new Map(),
});

export const isGroup = (filter: Comparison | Group): filter is Group => 'members' in filter;

// Populates that hold nothing but populates can be written as a dotted path.
export const isPlain = (selection: Selection): boolean =>
  !selection.fields.length &&
  !selection.deep &&
  !selection.parts.size &&
  !selection.filters.length &&
  !selection.sort.length &&
  !selection.options.size &&
  !Object.keys(selection.rest).length;

export const isBare = (selection: Selection): boolean => isPlain(selection) && !selection.populate.size;
