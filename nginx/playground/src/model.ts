// The content model: what the OpenAPI document of the server says of types and routes.

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any; // a document from outside, read with optional chaining throughout
export type Schema = Json; // of JSON, in the words of OpenAPI

export interface Attribute {
  name: string;
  type: string;
  many: boolean;
  targets: string[]; // UIDs of the types behind it; none: a scalar
  choices: string[]; // of an enumeration
  filter: Operator[]; // none: it cannot be filtered by
  sortable: boolean;
  relation?: string; // manyToOne, morphToMany, …
}

export interface Operator {
  name: string;
  meaning: string;
  list: boolean; // takes several values
}

export interface ContentType {
  uid: string;
  name: string;
  kind: string;
  draftAndPublish: boolean;
  localized: boolean;
  attributes: Map<string, Attribute>; // in the order of the schema; `id` first
  options: Set<string>; // of what is populated with it
  counted?: Schema; // of it in a response, where it is counted
}

export interface Route {
  path: string;
  summary: string;
  type: ContentType;
  parameters: Set<string>;
  key: string; // of one entry, at the end of the path: `id`, `documentId`; '': none is needed
  response: Schema;
}

export interface Model {
  types: Map<string, ContentType>;
  routes: Route[];
  documents: boolean; // of Strapi 5, which has two formats of them
  publicationFilters: string[];
  resolve: (schema: Schema) => Schema; // follows references
}

export const isScalar = (attribute: Attribute): boolean => !attribute.targets.length;

// Zones, and relations to entries of several types: populated by part.
export const hasParts = (attribute: Attribute): boolean =>
  attribute.type === 'dynamiczone' || attribute.targets.length > 1;

function reader(document: Json) {
  const resolve = (schema: Json): Json => {
    let found = schema;
    while (found?.$ref)
      found = found.$ref
        .split('/')
        .slice(1)
        .reduce((at: Json, name: string) => at?.[name], document);
    return found;
  };
  // The alternatives of a schema, those within alternatives included.
  const alternatives = (schema: Json): Json[] => {
    const found = resolve(schema);
    return found?.anyOf ? found.anyOf.flatMap(alternatives) : [found];
  };

  const operators = (filter: Json): Operator[] => {
    const named = alternatives(filter).find((one) => one?.properties?.$eq || one?.properties?.$null);
    return Object.entries<Json>(named?.properties ?? {})
      .filter(([name]) => name !== '$not')
      .map(([name, schema]) => ({
        name,
        meaning: schema.description ?? '',
        list: resolve(schema).type === 'array',
      }));
  };

  const attribute = (name: string, schema: Json, filters: Json, sort: Json): Attribute => {
    const extension = schema['x-attribute'] ?? { type: 'integer' };
    const choices = (schema.enum ?? []).filter((value: Json) => value !== null);
    return {
      name,
      type: extension.type,
      many: extension.many ?? false,
      targets: extension.targets ?? [],
      choices,
      filter: filters?.properties?.[name] ? operators(filters.properties[name]) : [],
      sortable: Boolean(sort?.properties?.[name]),
      relation: extension.relation,
    };
  };

  return { resolve, attribute };
}

export function readModel(document: Json): Model {
  const { resolve, attribute } = reader(document);
  const schemas = document.components?.schemas ?? {};
  const types = new Map<string, ContentType>();
  for (const [title, schema] of Object.entries<Json>(schemas)) {
    const extension = schema['x-content-type'];
    if (!extension?.uid || types.has(extension.uid)) continue;
    const name = title.replace(/Flat$/, '');
    const members = schema.properties?.attributes?.properties ?? schema.properties ?? {};
    const { id: _, ...named } = members;
    types.set(extension.uid, {
      ...extension,
      name: extension.kind === 'component' ? extension.uid : name,
      options: new Set(Object.keys(schemas[`${name}Options`]?.properties ?? {})),
      counted: schemas[`${name}Options`]?.properties?.count?.['x-answer'],
      attributes: new Map(
        Object.entries<Json>({ id: {}, ...named }).map(([key, member]) => [
          key,
          attribute(key, member, schemas[`${name}Filters`], schemas[`${name}Sort`]),
        ]),
      ),
    });
  }

  const routes: Route[] = [];
  for (const [path, { get }] of Object.entries<Json>(document.paths ?? {})) {
    const type = types.get(get?.['x-content-type']);
    if (!type) continue;
    const parameters = new Set<string>((get.parameters ?? []).map((one: Json) => resolve(one).name));
    const key = /\{(\w+)\}$/.exec(path)?.[1] ?? '';
    const response = resolve(get.responses?.['200'])?.content?.['application/json']?.schema ?? {};
    routes.push({ path, summary: get.summary ?? path, type, parameters, key, response });
  }
  return {
    types,
    routes,
    documents: routes.some(({ key }) => key === 'documentId'),
    publicationFilters: schemas.PublicationFilter?.enum ?? [],
    resolve,
  };
}

export const targetsOf = (model: Model, attribute: Attribute): ContentType[] =>
  attribute.targets.flatMap((uid) => model.types.get(uid) ?? []);

// An attribute of whichever of the types has it first.
export function attributeOf(types: ContentType[], name: string): Attribute | undefined {
  for (const type of types) if (type.attributes.has(name)) return type.attributes.get(name);
  return undefined;
}

// Attributes of all the types, each name once.
export function attributesOf(types: ContentType[]): Attribute[] {
  const found = new Map<string, Attribute>();
  for (const type of types) for (const [name, one] of type.attributes) if (!found.has(name)) found.set(name, one);
  return [...found.values()];
}

// The path of a route without the entry's key.
export const listOf = ({ path, key }: Route): string => (key ? path.slice(0, path.lastIndexOf('/')) : path);

export const isList = ({ parameters }: Route): boolean => parameters.has('pagination') || parameters.has('limit');

// The route of a path, and the key in it.
export function routeOf(model: Model, path: string): { route: Route; id: string } | undefined {
  const exact = model.routes.find((route) => route.path === path.replace(/\/$/, ''));
  if (exact) return { route: exact, id: '' };
  const cut = path.lastIndexOf('/');
  const one = model.routes.find((route) => route.key && listOf(route) === path.slice(0, cut));
  return one && { route: one, id: path.slice(cut + 1) };
}
