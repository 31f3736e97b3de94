// What the model says of a row of the tree: of the one that has the focus, or the pointer on it.
import { type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Attribute, type ContentType, isScalar, targetsOf } from './model';
import { state } from './state';

interface Subject {
  type: ContentType;
  attribute?: Attribute; // none: the type itself
}

// A subject changes with each move of the pointer: that draws this panel anew, not the page.
let tell = (_: Subject): void => {};

// For the element around a row's box. What is scrolled below a pointer at rest is not pointed at.
export function describes(types: ContentType[], attribute?: Attribute) {
  const type = types.find((one) => attribute && one.attributes.has(attribute.name)) ?? types[0];
  const subject = { type, attribute };
  const told = () => tell(subject);
  return { onMouseMove: told, onFocusIn: told };
}

const kinds: Record<string, string> = { collectionType: 'collection', singleType: 'single type' };

function kindOf({ kind, draftAndPublish, localized }: ContentType): string {
  const also = [draftAndPublish && 'drafts', localized && 'locales'].filter(Boolean).join(' and ');
  return (kinds[kind] ?? kind) + (also && `, with ${also}`);
}

function summaryOf({ type, many, choices, relation, targets }: Attribute): string {
  if (choices.length) return `one of ${choices.length} values, or null`;
  if (!targets.length) return `${type}, or null`;
  const amount = many ? 'any number' : 'one or none';
  const what = { relation, dynamiczone: 'dynamic zone' }[type] ?? type;
  return `${what}: ${amount}${targets.length > 1 ? ` of ${targets.length} types` : ''}`;
}

const Code = ({ names }: { names: string[] }) => (
  <>
    {names.map((name) => (
      <>
        <code>{name}</code>{' '}
      </>
    ))}
  </>
);

const Line = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Names = ({ type }: { type: ContentType }) => <Code names={[...type.attributes.keys()]} />;

function AttributeLines({ attribute }: { attribute: Attribute }) {
  const { choices, filter, sortable } = attribute;
  return (
    <>
      {choices.length > 0 && (
        <Line name="values">
          <Code names={choices} />
        </Line>
      )}
      {targetsOf(state.model, attribute).map((type) => (
        <Line key={type.uid} name="leads to">
          <b>{type.name}</b> {kindOf(type)}: <Names type={type} />
        </Line>
      ))}
      {isScalar(attribute) && <Line name="sort">{sortable ? 'yes' : 'no'}</Line>}
      <Line name="filter">
        {filter.length ? '' : isScalar(attribute) ? 'no' : 'by what it leads to'}
        {filter.map(({ name, meaning }) => (
          <span key={name}>
            <code>{name}</code> {meaning}
          </span>
        ))}
      </Line>
    </>
  );
}

export function About() {
  const [subject, setSubject] = useState<Subject | null>(null);
  tell = setSubject;
  if (!subject) return null;
  const { type, attribute } = subject;
  return (
    <details class="about" open={matchMedia('(min-width: 60rem)').matches}>
      <summary>
        <span id="about">
          <b>{attribute ? `${type.name}.${attribute.name}` : type.name}</b>{' '}
          {attribute ? summaryOf(attribute) : kindOf(type)}
        </span>
      </summary>
      <dl tabIndex={0}>
        {attribute ? (
          <AttributeLines attribute={attribute} />
        ) : (
          <Line name="has">
            <Names type={type} />
          </Line>
        )}
      </dl>
    </details>
  );
}
