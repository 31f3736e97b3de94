// From the text of a URL to what is asked.
import { attributeOf, attributesOf, type ContentType, isScalar, type Model, routeOf, targetsOf } from './model';
import {
  documentParameters,
  emptyQuery,
  emptySelection,
  type Filters,
  type Query,
  rootParameters,
  type Selection,
  selectionOptions,
} from './query';
import { type Dictionary, parseQueryString, type Value } from './query_string';

const isDictionary = (value: Value | undefined): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsOf = (value: Value): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

function select(selection: Selection, name: string): Selection {
  const found = selection.populate.get(name) ?? emptySelection();
  selection.populate.set(name, found);
  return found;
}

function readSort(value: Value, prefix: string): Selection['sort'] {
  if (typeof value === 'string')
    return itemsOf(value).map((item) => {
      const [path, direction = 'asc'] = item.split(':');
      return { path: prefix + path.trim(), descending: direction.trim().toLowerCase() === 'desc' };
    });
  if (Array.isArray(value)) return value.flatMap((item) => readSort(item, prefix));
  return Object.entries(value ?? {}).flatMap(([name, member]) =>
    typeof member === 'string'
      ? [{ path: prefix + name, descending: member.toLowerCase() === 'desc' }]
      : readSort(member, `${prefix}${name}.`),
  );
}

// Objects of operators alone compare an attribute; others hold names.
const isComparison = (value: Value): boolean =>
  !isDictionary(value) || Object.keys(value).every((key) => /^\$(?!and$|or$|not$)/.test(key));

// A form that has no meaning, or one of its own: it is kept as it came.
class Odd extends Error {}

function readComparison(value: Value, path: string[], negated: boolean): Filters {
  if (value === null) return [{ path, operator: '$null', negated, values: ['1'] }];
  if (!isDictionary(value)) {
    const values = Array.isArray(value) ? value : [value];
    if (!values.every((item) => item === null || typeof item === 'string')) throw new Odd();
    return [{ path, operator: values.length === 1 ? '$eq' : '$in', negated, values: values as (string | null)[] }];
  }
  return Object.entries(value).flatMap(([operator, operand]): Filters => {
    if (operand === null && operator === '$eq') return readComparison(null, path, negated);
    if (isDictionary(operand)) throw new Odd();
    const values = readComparison(operand ?? [null], path, negated).flatMap((one) =>
      'values' in one ? one.values : [],
    );
    return [{ path, operator, negated, values }];
  });
}

function readGroup(operator: string, value: Value, path: string[]): Filters {
  const members = operator === '$not' ? [value] : Object.values(value ?? {});
  if (!members.every(isDictionary)) throw new Odd();
  return [{ path, operator, members: members.map((member) => readFilters(member)) }];
}

function readFilters(value: Value, path: string[] = []): Filters {
  if (!isDictionary(value)) {
    if (!path.length) throw new Odd();
    return readComparison(value, path, false);
  }
  return Object.entries(value).flatMap(([key, member]): Filters => {
    if (key === '$not' && path.length && isComparison(member)) return readComparison(member, path, true);
    if (key === '$and' || key === '$or' || key === '$not') return readGroup(key, member, path);
    if (key.startsWith('$')) return readComparison({ [key]: member }, path, false);
    return readFilters(member, [...path, key]);
  });
}

// Whether they could be read.
function takeFilters(value: Value, selection: Selection): boolean {
  try {
    selection.filters = readFilters(value);
    return true;
  } catch (error) {
    if (error instanceof Odd) return false;
    throw error;
  }
}

const isFlagOff = (value: Value): boolean => value === null || ['', '0', 'f', 'false'].includes(value as string);

function readFields(value: Value): string[] {
  const fields = textsOf(value)
    .map((field) => field.trim())
    .filter(Boolean);
  return fields.includes('*') ? [] : [...new Set(fields)];
}

function reader(model: Model) {
  const targets = (types: ContentType[], name: string): ContentType[] => {
    const attribute = attributeOf(types, name);
    return attribute ? targetsOf(model, attribute) : [];
  };

  function readNames(texts: string[], selection: Selection, types: ContentType[]): void {
    for (const item of texts) {
      if (/^deep(,\d+)?$/.test(item)) selection.deep = item;
      else if (item === '*')
        for (const attribute of attributesOf(types)) isScalar(attribute) || select(selection, attribute.name);
      else
        for (const path of itemsOf(item)) {
          let at = selection;
          for (const name of path.split('.')) {
            if (!name || name === '*') break;
            at = select(at, name);
          }
        }
    }
  }

  function readPopulate(value: Value, selection: Selection, types: ContentType[]): void {
    if (!isDictionary(value)) {
      readNames(textsOf(value), selection, types);
      for (const item of Array.isArray(value) ? value : [])
        if (isDictionary(item)) readPopulate(item, selection, types);
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      // Mixed forms arrive as an object in which the listed names have indices.
      if (/^\d+$/.test(name)) readPopulate(member, selection, types);
      else if (isDictionary(member)) readSelection(member, select(selection, name), targets(types, name));
      else if (!isFlagOff(member)) select(selection, name);
    }
  }

  function readSelection(value: Dictionary, selection: Selection, types: ContentType[]): void {
    for (const [name, member] of Object.entries(value)) {
      if (name === 'fields') selection.fields = readFields(member);
      else if (name === 'populate') readPopulate(member, selection, types);
      else if (name === 'filters' && takeFilters(member, selection)) continue;
      else if (name === 'sort') selection.sort = readSort(member, '').filter(({ path }) => path);
      else if (name === 'on') readParts(member, selection);
      else if (selectionOptions.includes(name) && typeof member === 'string') selection.options.set(name, member);
      else selection.rest[name] = member;
    }
  }

  function readParts(value: Value, selection: Selection): void {
    for (const [uid, member] of isDictionary(value) ? Object.entries(value) : []) {
      const part = emptySelection();
      selection.parts.set(uid, part);
      const type = model.types.get(uid);
      if (isDictionary(member)) readSelection(member, part, type ? [type] : []);
    }
    if (!selection.parts.size) selection.options.set('on', ''); // none of them
  }

  return { readSelection };
}

// Moves the parameters that are texts out of the rest.
function takeParameters(query: Query, model: Model): void {
  const { rest } = query.root;
  for (const name of [...rootParameters, ...(model.documents ? documentParameters : [])]) {
    const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    const from = outer ? rest[outer] : rest;
    const key = inner ?? name;
    if (!isDictionary(from) || typeof from[key] !== 'string') continue;
    query.parameters.set(name, from[key]);
    delete from[key];
    if (outer && !Object.keys(from).length) delete rest[outer];
  }
}

export function readQuery(text: string, model: Model): Query {
  const [path] = text.split('?', 1);
  const query = emptyQuery(path);
  const type = routeOf(model, path)?.route.type;
  reader(model).readSelection(parseQueryString(text.slice(path.length + 1)), query.root, type ? [type] : []);
  // What are options of a populate are parameters of the whole.
  for (const [name, value] of query.root.options) query.root.rest[name] = value;
  query.root.options.clear();
  takeParameters(query, model);
  return query;
}
