// A choice of an attribute, through relations: one select a step.
import { type Attribute, attributeOf, attributesOf, type ContentType, hasParts, isScalar, targetsOf } from './model';
import { state } from './state';

interface Props {
  types: ContentType[];
  path: string[];
  fits: (attribute: Attribute) => boolean;
  toScalar?: boolean; // a relation is no end
  onChange: (path: string[]) => void;
}

export function PathChoice({ types, path, fits, toScalar, onChange }: Props) {
  const offered = (at: ContentType[]) =>
    attributesOf(at).filter((attribute) => (isScalar(attribute) ? fits(attribute) : !hasParts(attribute)));

  // Up to where the path ends, where it must.
  function finished(steps: string[]): string[] {
    let at = types;
    for (const name of steps) {
      const attribute = attributeOf(at, name);
      at = attribute ? targetsOf(state.model, attribute) : [];
    }
    if (!toScalar || !at.length) return steps;
    const scalars = offered(at).filter(isScalar);
    return [...steps, (scalars[1] ?? scalars[0])?.name ?? 'id'];
  }

  const steps = [];
  let at = types;
  for (let i = 0; i <= path.length && at.length; i++) {
    const attributes = offered(at);
    const name = path[i] ?? '';
    const known = !name || attributes.some((one) => one.name === name);
    steps.push(
      <select
        key={i}
        class={known ? '' : 'wrong'}
        aria-label={i ? `attribute of ${path[i - 1]}` : 'attribute'}
        aria-invalid={!known}
        value={name}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          onChange(finished(chosen ? [...path.slice(0, i), chosen] : path.slice(0, i)));
        }}
      >
        {i > 0 && !toScalar && <option value="">(id)</option>}
        {known || <option value={name}>{name}</option>}
        {attributes.map((one) => (
          <option value={one.name}>{isScalar(one) ? one.name : `${one.name} ›`}</option>
        ))}
      </select>,
    );
    const attribute = attributeOf(at, name);
    at = attribute ? targetsOf(state.model, attribute) : [];
  }
  return <>{steps}</>;
}
