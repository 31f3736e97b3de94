// The forms of nginx/docs/queries.md as queries of one route, made of its type's attributes and relations.
import {
  type Attribute,
  attributesOf,
  type ContentType,
  hasParts,
  isList,
  isScalar,
  type Model,
  type Route,
  targetsOf,
} from './model';
import { type Dictionary, type Value, writeQueryString } from './query_string';

export interface Example {
  name: string;
  query: string;
}

export interface Examples {
  parameter: string;
  examples: Example[];
}

// An entry as a response has it, with all that the caller may populate: attributes by name, and more.
export type Sample = Record<string, unknown>;

// Asks a route for one; of relations for ids alone: there may be many.
export function sampleUrl({ path, type, parameters }: Route): string {
  const related = attributesOf([type]).filter((one) => !isScalar(one));
  const all: Dictionary = {
    populate: Object.fromEntries(related.map((one) => [one.name, isLink(one) ? { fields: 'id' } : '1'])),
    pagination: { pageSize: '1' },
    limit: '1',
  };
  return `${path}?${writeQueryString(Object.fromEntries(Object.entries(all).filter(([name]) => parameters.has(name))))}`;
}

export function samplesOf(json: unknown): Sample[] {
  const data = (json as { data?: unknown } | null)?.data ?? json;
  return [data].flat().flatMap((one) => {
    const entry = one as { id?: number; attributes?: object } | null;
    return entry?.id ? [{ ...entry, ...entry.attributes }] : [];
  });
}

type Fits = (attribute: Attribute) => boolean;

const isId: Fits = ({ name }) => name === 'id' || name === 'documentId';
const isText: Fits = ({ type, name }) =>
  /^(string|text|uid|email|richtext)$/.test(type) && name !== 'locale' && name !== 'documentId';
const isNumber: Fits = ({ type, name }) => /^(integer|biginteger|decimal|float)$/.test(type) && name !== 'id';
const isChoice: Fits = ({ choices }) => choices.length > 0;
const isLink: Fits = (attribute) => attribute.type === 'relation' && !hasParts(attribute);

const isShort = (value: unknown): boolean => ['string', 'number'].includes(typeof value) && String(value).length < 80;

// Relations too, in the envelope of Strapi 4 or without it.
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null || value === undefined;
  return Array.isArray(value) ? !value.length : 'data' in value && isEmpty(value.data);
}

// Those that the caller may read; first those whose values show something.
function known(type: ContentType, sample: Sample): Attribute[] {
  const all = attributesOf([type]).filter(({ name }) => name in sample);
  const shows: Fits = (one) => (isScalar(one) ? isShort(sample[one.name]) : !isEmpty(sample[one.name]));
  return [...all.filter(shows), ...all.filter((one) => !shows(one))];
}

// `kinds`: in the order of preference.
function pick(attributes: Attribute[], ...kinds: Fits[]): Attribute | undefined {
  return kinds.flatMap((fits) => attributes.find(fits) ?? [])[0];
}

function kindsOf(operator: string, sample: Sample): Fits[] {
  if (/null/i.test(operator)) return [({ name }) => sample[name] === null, isText, isId];
  if (/contains|starts|ends|i$/i.test(operator)) return [isText];
  return /^\$([lg]te?|between)$/.test(operator) ? [isNumber, isId] : [isChoice, isText, isId];
}

// Such that the entry itself is found, if it is not the contrary that is looked for.
function operandOf(operator: string, attribute: Attribute, sample: Sample): Value {
  const { name, choices } = attribute;
  const value = isShort(sample[name]) ? String(sample[name]) : (choices[0] ?? (isText(attribute) ? 'a' : '1'));
  const words = value.split(/\s+/);
  if (/null/i.test(operator)) return 'true';
  if (operator === '$lt') return String(Number(value) + 1);
  if (operator === '$gt') return String(Number(value) - 1);
  if (operator === '$between') return [value, String(Number(value) + 10)];
  if (/in$/i.test(operator)) return choices.length > 1 ? choices.slice(0, 2) : value;
  if (/starts/i.test(operator)) return words[0];
  if (/ends/i.test(operator)) return words.at(-1)!;
  return /contains/i.test(operator) ? words.reduce((a, b) => (b.length > a.length ? b : a)) : value;
}

type Named = [name: string, value: Value | undefined];

// A text of what a relation leads to, behind the first relation that has one.
function behind(model: Model, attributes: Attribute[], fits: Fits): [link: string, name: string] | undefined {
  for (const link of attributes.filter(isLink)) {
    const text = attributesOf(targetsOf(model, link)).find((one) => isText(one) && fits(one));
    if (text) return [link.name, text.name];
  }
  return undefined;
}

function filters(model: Model, attributes: Attribute[], sample: Sample): Named[] {
  const operators = new Set(attributes.flatMap(({ filter }) => filter.map(({ name }) => name)));
  const compared = [...operators].flatMap((operator): [string, Dictionary][] => {
    const takes: Fits = ({ filter }) => filter.some(({ name }) => name === operator);
    const attribute = pick(attributes.filter(takes), ...kindsOf(operator, sample));
    return attribute ? [[operator, { [attribute.name]: { [operator]: operandOf(operator, attribute, sample) } }]] : [];
  });
  if (!compared.length) return [];
  const [one, other] = [compared[0][1], compared.at(-1)![1]];
  const [link, text] = behind(model, attributes, ({ filter }) => filter.length > 0) ?? [];
  return [
    ...compared,
    ['$or', { $or: [one, other] }],
    ['$and', { $and: [one, other] }],
    ['$not', { $not: one }],
    [`${link}.${text}`, link && text ? { [link]: { [text]: { $contains: 'a' } } } : undefined],
  ];
}

function populates(model: Model, type: ContentType, attributes: Attribute[]): Named[] {
  const related = attributes.filter((one) => !isScalar(one));
  if (!related.length) return [];
  const kinds = ['media', 'relation', 'component', 'dynamiczone'];
  const firsts = kinds.flatMap((kind) => related.find((one) => one.type === kind)?.name ?? []);
  const below = (one: Attribute): Attribute[] => attributesOf(targetsOf(model, one));
  const pairs = related
    .filter((one) => !hasParts(one))
    .flatMap((one) => below(one).map((inner): [Attribute, Attribute] => [one, inner]));
  const [outer, inner] = pairs.find(([, one]) => !isScalar(one) && !one.targets.includes(type.uid)) ?? [];
  const fielded = pairs.find(([one, text]) => isLink(one) && isText(text));
  const sorted = pairs.find(([one, text]) => isLink(one) && one.many && isText(text) && text.sortable);
  const zone = related.find(({ type: kind }) => kind === 'dynamiczone');
  const option = (pair: [Attribute, Attribute] | undefined, name: string, of: (text: string) => Value): Named => [
    `${pair?.[0].name}[${name}]`,
    pair && { [pair[0].name]: { [name]: of(pair[1].name) } },
  ];
  return [
    ['*', '*'],
    ...firsts.map((name): Named => [name, name]),
    [`${outer?.name}.${inner?.name}`, outer && { [outer.name]: { populate: inner!.name } }],
    option(fielded, 'fields', (name) => name),
    option(sorted, 'filters', (name) => ({ [name]: { $contains: 'a' } })),
    option(sorted, 'sort', (name) => `${name}:desc`),
    [`${zone?.name}[on]`, zone && { [zone.name]: { on: { [zone.targets[0]]: { populate: '*' } } } }],
  ];
}

function sorts(model: Model, attributes: Attribute[]): Named[] {
  const sortable = attributes.filter((one) => one.sortable);
  const [text, number] = [sortable.find(isText), pick(sortable, isNumber, isId)];
  const path = behind(model, attributes, (one) => one.sortable)?.join('.');
  return [
    [`${text?.name}`, text?.name],
    [`${number?.name}:desc`, number && `${number.name}:desc`],
    [`${path}`, path],
  ];
}

const pages: Dictionary[] = [
  { pageSize: '3' },
  { page: '2', pageSize: '3' },
  { start: '1', limit: '3' },
  { withCount: 'false' },
];

// The groups that the route takes parameters for, in the order of the reference. A single entry is not filtered.
export function examplesOf(model: Model, route: Route, sample: Sample): Examples[] {
  const { type, parameters } = route;
  const attributes = known(type, sample);
  const scalars = attributes.filter((one) => isScalar(one) && !isId(one)).map(({ name }) => name);
  const versions = (names: string[]): Named[] => (type.draftAndPublish ? names.map((name) => [name, name]) : []);
  const locales = [...(isShort(sample.locale) ? [String(sample.locale)] : []), model.documents ? '*' : 'all'];
  const groups: Record<string, Named[]> = {
    fields: scalars.slice(0, 2).map((name, i) => (i ? [`${scalars[0]},${name}`, [scalars[0], name]] : [name, name])),
    populate: populates(model, type, attributes),
    filters: isList(route) ? filters(model, attributes, sample) : [],
    sort: isList(route) ? sorts(model, attributes) : [],
    pagination: pages.map((page) => [Object.keys(page).join(), page]),
    locale: isList(route) && type.localized ? locales.map((locale) => [locale, locale]) : [],
    publicationState: versions(['live', 'preview']),
    status: versions(['published', 'draft']),
  };
  return Object.entries(groups)
    .filter(([parameter]) => parameters.has(parameter))
    .map(([parameter, named]) => ({
      parameter,
      examples: named.flatMap(([name, value]) =>
        value === undefined ? [] : [{ name, query: writeQueryString({ [parameter]: value }) }],
      ),
    }))
    .filter(({ examples }) => examples.length);
}
