// The type of the response in TypeScript: the schemas of the model, of what is asked alone.
import { literal, nameOf } from './literal';
import { type Attribute, type Model, routeOf, type Schema } from './model';
import { emptySelection, type Query, type Selection } from './query';

// How entries are written: as the schemas say, or, of Strapi 5, as those of Strapi 4 were. Then their
// components have no envelope, but what is related to these has; below polymorphic relations nothing has.
type Shape = 'said' | 'enveloped' | 'component';

interface Member {
  name: string;
  optional: boolean;
  text: string;
}

const indented = (text: string): string => text.replace(/\n/g, '\n  ');

function objectOf(members: Member[], open = false): string {
  const lines = members.map(({ name, optional, text }) => `${nameOf(name)}${optional ? '?' : ''}: ${indented(text)};`);
  if (open) lines.push('[name: string]: unknown;');
  return lines.length ? `{\n${lines.map((line) => `  ${line}\n`).join('')}}` : 'Record<string, never>';
}

const dataOf = (text: string): string => objectOf([{ name: 'data', optional: false, text }]);

const isPolymorphic = ({ relation }: Attribute): boolean => relation?.startsWith('morphTo') ?? false;
// What belongs to an entry polymorphically, which Strapi 5 does not count.
const isInverse = ({ type, relation = '' }: Attribute): boolean =>
  type === 'media' || ['morphOne', 'morphMany'].includes(relation);

const isTrue = (text: string | undefined): boolean => text !== undefined && ['1', 't', 'true'].includes(text);

// Beside the attributes of an entry in its envelope.
const outside = ['id', 'documentId'];

function envelope(members: Member[], open: boolean): string {
  const within = members.filter(({ name }) => !outside.includes(name));
  const attributes = { name: 'attributes', optional: false, text: objectOf(within, open) };
  return objectOf([...members.filter(({ name }) => outside.includes(name)), attributes]);
}

const scalars: Record<string, string> = { integer: 'number', number: 'number', boolean: 'boolean', string: 'string' };

function writer(model: Model) {
  const resolve = (schema: Schema): Schema => model.resolve(schema);

  // What an entry's schema says of its type; of one that is more than an entry, too.
  const typeOf = (schema: Schema): Schema => {
    const found = resolve(schema);
    return found['x-content-type'] ?? (found.allOf ? typeOf(found.allOf[0]) : undefined);
  };

  const alternatives = (schemas: Schema[], selection: Selection, shape: Shape): string[] =>
    schemas.flatMap((schema) => {
      const part = selection.parts.get(typeOf(schema)?.uid);
      const hidden = selection.parts.size > 0 && !part && typeOf(schema);
      return hidden ? [] : written(schema, part ?? selection, shape);
    });

  function written(schema: Schema, selection: Selection, shape: Shape): string {
    const found = resolve(schema);
    if (found.anyOf) return alternatives(found.anyOf, selection, shape).join(' | ') || 'never';
    const values = found.enum ?? ('const' in found && [found.const]);
    if (values)
      return values.map((value: unknown) => (typeof value === 'string' ? literal(value) : String(value))).join(' | ');
    if (found.not) return 'never';
    if (found.type === 'array') return `Array<${written(found.items, selection, shape)}>`;
    if (found.allOf || found.properties) return entry(found, selection, shape);
    return (
      [found.type ?? []]
        .flat()
        .map((type) => scalars[type] ?? type)
        .join(' | ') || 'unknown'
    );
  }

  function entry(schema: Schema, selection: Selection, shape: Shape): string {
    const type = typeOf(schema);
    const all = members(schema, selection, shape);
    const open = Boolean(selection.deep) && all.attributes; // with whatever is that deep
    return shape === 'enveloped' && type && type.kind !== 'component'
      ? envelope(all.list, open)
      : objectOf(all.list, open);
  }

  function members(schema: Schema, selection: Selection, shape: Shape): { list: Member[]; attributes: boolean } {
    const found = resolve(schema);
    if (found.allOf) {
      const each = (found.allOf as Schema[]).map((one) => members(one, selection, shape));
      return { list: each.flatMap(({ list }) => list), attributes: each.some(({ attributes }) => attributes) };
    }
    const properties = Object.entries<Schema>(found.properties);
    return {
      list: properties.flatMap(([name, one]) => member(name, one, found.required ?? [], selection, shape)),
      attributes: properties.some(([, one]) => one['x-attribute']),
    };
  }

  function member(name: string, schema: Schema, required: string[], selection: Selection, shape: Shape): Member[] {
    const attribute = schema['x-attribute'] as Attribute | undefined;
    const needed = required.includes(name);
    if (attribute?.targets) {
      const populated = selection.populate.get(name);
      const optional = isPolymorphic(attribute); // some are left out where they lead nowhere
      return populated ? [{ name, optional, text: related(schema, attribute, populated, shape) }] : [];
    }
    const asked = !selection.fields.length || selection.fields.includes(name);
    return !attribute || needed || asked
      ? [{ name, optional: !attribute && !needed, text: written(schema, selection, shape) }]
      : [];
  }

  function related(schema: Schema, attribute: Attribute, selection: Selection, shape: Shape): string {
    const counts = !(model.documents && isInverse(attribute)) && isTrue(selection.options.get('count'));
    const counted = counts && model.types.get(attribute.targets[0])?.counted;
    const isPart = attribute.type === 'component' || attribute.type === 'dynamiczone';
    if (counted) {
      const text = written(counted, selection, 'said');
      return shape === 'said' || isPart || isPolymorphic(attribute)
        ? text
        : dataOf(objectOf([{ name: 'attributes', optional: false, text }]));
    }
    if (shape === 'said') return written(schema, selection, shape);
    if (isPart) return written(schema, selection, 'component');
    return isPolymorphic(attribute)
      ? written(schema, selection, 'said')
      : dataOf(written(schema, selection, 'enveloped'));
  }

  return { written };
}

// '': no route of the model is asked.
export function responseType(query: Query, model: Model, enveloped: boolean): string {
  const route = routeOf(model, query.path)?.route;
  if (!route) return '';
  const shape = enveloped && route.type.uid.startsWith('api::') ? 'enveloped' : 'said'; // plugins have their own forms
  const selection = route.parameters.has('populate') ? query.root : { ...emptySelection(), fields: query.root.fields };
  return `export type ${route.type.name}Answer = ${writer(model).written(route.response, selection, shape)};`;
}
