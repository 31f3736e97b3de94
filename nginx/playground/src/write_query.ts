// From what is asked to the shortest URL that asks it.
import { attributeOf, attributesOf, type ContentType, isScalar, type Model, routeOf, targetsOf } from './model';
import { type Comparison, type Filters, isBare, isGroup, isPlain, type Query, type Selection } from './query';
import { type Dictionary, type Value, writeQueryString } from './query_string';

const flag = '1'; // the shortest word for yes

const isDictionary = (value: Value): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shortest = (list: string[]): Value => (list.length === 1 ? list[0] : list);

// Puts a comparison where its path leads. False if something is in its place already.
function put(into: Dictionary, path: string[], value: Dictionary): boolean {
  let at = into;
  for (const name of path) {
    const next = (at[name] ??= {});
    if (!isDictionary(next)) return false;
    at = next;
  }
  for (const [key, member] of Object.entries(value)) {
    const there = at[key];
    if (there === undefined) at[key] = member;
    else if (!isDictionary(there) || !isDictionary(member) || !put(there, [], member)) return false;
  }
  return true;
}

function compared({ operator, values, negated }: Comparison): Dictionary {
  const list =
    operator === '$null' || operator === '$notNull' ? values.map((value) => (value === 'true' ? flag : value)) : values;
  const value = { [operator]: list.length === 1 ? list[0] : list };
  return negated ? { $not: value } : value;
}

// `$eq` and `$in` go without saying, and so does the id of a related entry.
function shorten(value: Value): Value {
  if (Array.isArray(value)) return value.map(shorten);
  if (!isDictionary(value)) return value;
  const short: Dictionary = {};
  for (const [name, member] of Object.entries(value)) {
    let found = shorten(member);
    if (!name.startsWith('$') && isDictionary(found)) {
      const [key, ...others] = Object.keys(found);
      if (!others.length && (key === '$eq' || key === '$in') && found[key] !== null) found = found[key];
      else if (!others.length && key === 'id' && (!isDictionary(found.id) || Object.keys(found.id).length === 1))
        found = found.id;
    }
    short[name] = found;
  }
  return short;
}

export function filtersValue(filters: Filters): Dictionary {
  const value: Dictionary = {};
  const apart: Dictionary[] = [];
  for (const filter of filters) {
    if (!isGroup(filter) && !filter.values.length) continue; // not written yet
    const one: Dictionary = isGroup(filter)
      ? {
          [filter.operator]:
            filter.operator === '$not' ? filtersValue(filter.members[0] ?? []) : filter.members.map(filtersValue),
        }
      : compared(filter);
    const alone: Dictionary = {};
    put(alone, filter.path, one);
    // What collides is said in a list of its own.
    if (!fits(value, alone)) apart.push(alone);
    else put(value, filter.path, one);
  }
  if (apart.length) value.$and = [...(Array.isArray(value.$and) ? value.$and : []), ...apart];
  return value;
}

const fits = (a: Dictionary, b: Dictionary): boolean =>
  Object.entries(b).every(([key, member]) => {
    const there = a[key];
    return there === undefined || (isDictionary(there) && isDictionary(member) && fits(there, member));
  });

// Dotted paths of populates that have no options.
function paths(selection: Selection, prefix = ''): string[] | null {
  const found: string[] = [];
  for (const [name, member] of selection.populate) {
    if (!isPlain(member) || /[.,*\s]/.test(name)) return null;
    const below = paths(member, `${prefix}${name}.`);
    if (!below) return null;
    found.push(...(below.length ? below : [prefix + name]));
  }
  return found;
}

function writer(model: Model) {
  const targets = (types: ContentType[], name: string): ContentType[] => {
    const attribute = attributeOf(types, name);
    return attribute ? targetsOf(model, attribute) : [];
  };

  // All names at once, where each of them is asked for and nothing more of any.
  function isEverything(selection: Selection, types: ContentType[]): boolean {
    const names = attributesOf(types)
      .filter((attribute) => !isScalar(attribute))
      .map(({ name }) => name);
    return (
      names.length > 1 &&
      names.length === selection.populate.size &&
      names.every((name) => selection.populate.has(name) && isBare(selection.populate.get(name)!))
    );
  }

  function populateValue(selection: Selection, types: ContentType[], place: string): Value {
    if (selection.deep) return selection.deep;
    if (isEverything(selection, types)) return '*';
    const nested: Dictionary = {};
    for (const [name, member] of selection.populate)
      nested[name] = optionsValue(member, targets(types, name), `${place}[${name}]`);
    const list = paths(selection);
    if (!list) return nested;
    const joined = list.join(',');
    return writeQueryString(joined, place).length <= writeQueryString(nested, place).length ? joined : nested;
  }

  function optionsValue(selection: Selection, types: ContentType[], place: string): Value {
    if (!selection.parts.size) return isBare(selection) ? flag : selectionValue(selection, types, place);
    const on: Dictionary = {};
    for (const [uid, part] of selection.parts) {
      const type = model.types.get(uid);
      on[uid] = optionsValue(part, type ? [type] : [], `${place}[on][${uid}]`);
    }
    return { on };
  }

  function fieldsValue(fields: string[], types: ContentType[]): Value | undefined {
    const scalars = attributesOf(types).filter((attribute) => isScalar(attribute) && attribute.name !== 'id');
    const all = scalars.length > 0 && scalars.every(({ name }) => fields.includes(name));
    return fields.length && !(all && fields.every((name) => attributeOf(types, name))) ? shortest(fields) : undefined;
  }

  function selectionValue(selection: Selection, types: ContentType[], place: string): Dictionary {
    const value: Dictionary = {};
    const fields = fieldsValue(selection.fields, types);
    if (fields !== undefined) value.fields = fields;
    if (selection.populate.size || selection.deep)
      value.populate = populateValue(selection, types, place ? `${place}[populate]` : 'populate');
    if (selection.filters.length) value.filters = shorten(filtersValue(selection.filters));
    if (selection.sort.length)
      value.sort = selection.sort.map(({ path, descending }) => path + (descending ? ':desc' : '')).join(',');
    for (const [name, text] of selection.options) value[name] = text;
    return { ...value, ...selection.rest };
  }

  return { selectionValue };
}

// The tree of the query string.
export function queryValue(query: Query, model: Model): Dictionary {
  const type = routeOf(model, query.path)?.route.type;
  const value = writer(model).selectionValue(query.root, type ? [type] : [], '');
  for (const [name, text] of query.parameters) {
    const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    if (!outer) value[name] = text;
    else put(value, [outer], { [inner]: text });
  }
  return value;
}

export function writeQuery(query: Query, model: Model): string {
  const text = writeQueryString(queryValue(query, model));
  return query.path + (text && `?${text}`);
}
