// What may be written at the caret of a URL: paths, parameters, names of attributes, operators, values.
import {
  type Attribute,
  attributeOf,
  attributesOf,
  type ContentType,
  hasParts,
  isScalar,
  type Model,
  routeOf,
  targetsOf,
} from './model';
import { documentParameters, rootParameters, selectionOptions } from './query';
import { decode, type Name, namesIn } from './query_string';

export interface Candidate {
  name: string;
  about: string;
  next: string; // what is written after it
}

export interface Completion {
  start: number; // of what it replaces
  end: number;
  candidates: Candidate[];
}

// Stands in the text for the caret, so that an empty name is a name.
const caretMark = '\u{e000}';

const groups = ['$and', '$or', '$not'];
const paging = ['page', 'pageSize', 'start', 'limit', 'withCount'];
const named = ['fields', 'populate', 'filters', 'sort'];

const candidate = (name: string, about = '', next = ''): Candidate => ({ name, about, next });

// After the name of a parameter, or of an option of populate.
const opening = (name: string): string => (/^(filters|on)$/.test(name) ? '[' : name === 'populate' ? '' : '=');

// Where in the query something is written.
interface Place {
  types: ContentType[];
  path: string; // `parameters`, or the last key: `filters`, `populate`, …; `options` of what is populated
  attribute?: Attribute; // of a filter: what is compared; of options: what is populated
}

// One key further in.
function step(model: Model, { types, path, attribute }: Place, key: string): Place {
  const found = attributeOf(types, key);
  const below = found ? targetsOf(model, found) : [];
  if (path === 'parameters' || path === 'options') return { types, path: key };
  if (path === 'populate') return { types: below, path: 'options', attribute: found };
  if (path === 'on') return { types: types.filter(({ uid }) => uid === key), path: 'options' };
  if (path === 'sort') return { types: below, path };
  if (path !== 'filters' || groups.includes(key)) return { types, path, attribute };
  if (key.startsWith('$')) return { types, path: 'operand', attribute };
  return below.length ? { types: below, path } : { types: [], path, attribute: found };
}

const isRelated = (attribute: Attribute): boolean => !isScalar(attribute);
const isAny = (): boolean => true;

const names = (types: ContentType[], fits: (attribute: Attribute) => boolean, next: string): Candidate[] =>
  attributesOf(types)
    .filter(fits)
    .map(({ name, type }) => candidate(name, type, next));

function conditions({ types, attribute }: Place): Candidate[] {
  const operators = (attribute?.filter ?? []).map(({ name, meaning }) => candidate(name, meaning, ']='));
  if (operators.length) return [...operators, candidate('$not', 'the contrary', '][')];
  const listed = groups.map((name) => candidate(name, 'of conditions', name === '$not' ? '][' : '][0]['));
  return types.length ? [...names(types, isAny, ']'), ...listed] : [];
}

function options({ types, attribute }: Place): Candidate[] {
  const takes = (name: string): boolean => types.some((type) => type.options.has(name));
  const known = [...named, ...selectionOptions].filter(takes);
  if (attribute && hasParts(attribute)) known.unshift('on');
  return known.map((name) => candidate(name, '', `]${opening(name)}`));
}

// Names between brackets.
function keys(place: Place): Candidate[] {
  const { types, path } = place;
  if (path === 'filters') return conditions(place);
  if (path === 'populate') return names(types, isRelated, ']');
  if (path === 'options') return options(place);
  if (path === 'on') return types.map(({ uid, kind }) => candidate(uid, kind, ']'));
  if (path === 'sort') return [...names(types, isScalar, ']='), ...names(types, isRelated, ']')];
  return path === 'pagination' ? paging.map((name) => candidate(name, '', ']=')) : [];
}

// What a key is set to. `direction`: behind the colon of a sort key.
function values({ types, path, attribute }: Place, direction: boolean, model: Model): Candidate[] {
  const texts = (all: string[]): Candidate[] => all.map((text) => candidate(text));
  if (path === 'fields') return names(types, isScalar, '');
  if (path === 'populate') return names(types, isRelated, '');
  if (path === 'sort' && direction) return texts(['asc', 'desc']);
  if (path === 'sort') return [...names(types, isScalar, ''), ...names(types, isRelated, '.')];
  if (path === 'filters' || path === 'operand')
    return texts(attribute?.type === 'boolean' ? ['true', 'false'] : (attribute?.choices ?? []));
  if (path === 'status') return texts(['published', 'draft']);
  if (path === 'publicationState') return texts(['live', 'preview']);
  return path === 'publicationFilter' ? texts(model.publicationFilters) : [];
}

function parameters(model: Model, known: Set<string>): Candidate[] {
  const all = [...named, ...rootParameters, ...(model.documents ? documentParameters : [])];
  return all.filter((name) => known.has(name.replace(/\[.*/, ''))).map((name) => candidate(name, '', opening(name)));
}

function paths(model: Model): Candidate[] {
  return model.routes.map(({ path, summary, key }) => candidate(path.replace(/\{.*/, ''), summary, key ? '' : '?'));
}

// Those that begin with what is written come first, then those that have it in them.
export function fitting<C extends Candidate>(all: C[], typed: string): C[] {
  const wanted = typed.toLowerCase().replace(/^\$/, '');
  const at = ({ name }: Candidate): number => name.toLowerCase().replace(/^\$/, '').indexOf(wanted);
  const found = all.filter((one) => at(one) >= 0);
  return [...found.filter((one) => at(one) === 0), ...found.filter((one) => at(one) > 0)];
}

const completing = (all: Candidate[], typed: string): Candidate[] =>
  fitting(all, typed).filter(({ name }) => name !== typed);

const keysOf = (place: string): string[] => place.split(/\]?\[|\]$/).filter(Boolean);

function atName(text: string, name: Name, model: Model): Candidate[] {
  const route = routeOf(model, text.slice(0, text.indexOf('?')))?.route;
  if (!route) return [];
  const start: Place = { types: [route.type], path: 'parameters' };
  const place = keysOf(name.place).reduce((at, key) => step(model, at, key), start);
  const part = text.slice(Math.max(text.indexOf('?'), text.lastIndexOf('&', name.start - 1)) + 1, name.start);
  if (part.includes('=')) return values(place, name.value, model);
  return place.path === 'parameters' ? parameters(model, route.parameters) : keys(place);
}

export function completionAt(text: string, caret: number, model: Model): Completion | null {
  const query = text.indexOf('?') + 1;
  if (!query || caret < query) {
    const end = query ? query - 1 : text.length;
    return some({ start: 0, end, candidates: completing(paths(model), text.slice(0, caret)) });
  }
  const marked = text.slice(query, caret) + caretMark + text.slice(caret);
  const found = [...namesIn(marked)].find(({ name }) => name.includes(caretMark));
  if (!found) return null;
  const name = { ...found, start: found.start + query, end: found.end + query - 1 };
  const candidates = completing(atName(text, name, model), decode(text.slice(name.start, caret)));
  return some({ start: name.start, end: name.end, candidates });
}

const some = (completion: Completion): Completion | null => (completion.candidates.length ? completion : null);

// The text with a candidate in it, and the caret behind that.
export function complete(text: string, { start, end }: Completion, { name, next }: Candidate): [string, number] {
  const bracket = text[start - 1] === ']' ? '[' : '';
  const rest = text.slice(end);
  const goesOn = next !== '' && /^[\][=?]/.test(rest);
  const written = text.slice(0, start) + bracket + name + (goesOn ? '' : next);
  return [written + rest, written.length + Number(goesOn)];
}
