// The content model as a tree of what can be asked, ticked where it is. A level is drawn when its row
// is opened: relations lead in circles.
import { type ComponentChildren } from 'preact';
import { describes } from './about';
import { type Attribute, attributesOf, type ContentType, hasParts, isScalar, type Model, targetsOf } from './model';
import { emptySelection, isBare, type Selection } from './query';
import { Refinement } from './refinement';
import { edit, fold, isOpen, state } from './state';

interface LevelProps {
  types: ContentType[];
  selection: Selection | undefined; // none: nothing is asked here yet
  reach: () => Selection; // makes it, and all above it
  place: string;
}

function toggleField(reach: () => Selection, name: string): void {
  edit(() => {
    const selection = reach();
    const kept = selection.fields.filter((field) => field !== name);
    selection.fields = kept.length < selection.fields.length ? kept : [...kept, name];
  });
}

const typeOf = (attribute: Attribute): string => (attribute.choices.length ? 'choice' : attribute.type);

function Fields({ types, selection, reach }: LevelProps) {
  const scalars = attributesOf(types).filter(isScalar);
  const chosen = selection?.fields ?? [];
  return (
    <ul class={`fields ${chosen.length ? '' : 'all'}`} aria-label="fields">
      {scalars.map((attribute) => (
        <li key={attribute.name}>
          <label {...describes(types, attribute)}>
            <input
              type="checkbox"
              data-row
              aria-describedby="about"
              checked={chosen.includes(attribute.name)}
              onChange={() => toggleField(reach, attribute.name)}
            />
            {attribute.name} <small>{typeOf(attribute)}</small>
          </label>
        </li>
      ))}
    </ul>
  );
}

// A name that does not exist, where it would stand. What is wrong with it is said below the URL.
function Unknown({ name }: { name: string }) {
  return (
    <li class="row unknown">
      <mark>{name}</mark>
    </li>
  );
}

interface RowProps {
  name: string;
  described: ReturnType<typeof describes>;
  about: ComponentChildren;
  place: string;
  checked: boolean;
  asked: boolean; // whether something within is
  onToggle: () => void;
  refine?: ComponentChildren;
  refined?: number;
  children: () => ComponentChildren;
}

function Row({ name, described, about, place, checked, asked, onToggle, refine, refined, children }: RowProps) {
  const open = isOpen(place, asked);
  const refining = isOpen(`${place}#`, (refined ?? 0) > 0);
  return (
    <li class={`row ${open ? 'open' : ''}`} data-place={place}>
      <div>
        <button
          type="button"
          class="fold"
          tabIndex={-1}
          aria-expanded={open}
          aria-label={`${open ? 'close' : 'open'} ${name}`}
          onClick={() => fold(place, !open)}
        />
        <label {...described}>
          <input type="checkbox" data-row aria-describedby="about" checked={checked} onChange={onToggle} />
          {name} <small>{about}</small>
        </label>
        {refine && checked && (
          <button type="button" class="refine" aria-expanded={refining} onClick={() => fold(`${place}#`, !refining)}>
            refine{refined ? <b>{refined}</b> : ''}
          </button>
        )}
      </div>
      {refine && checked && refining && refine}
      {open && <div class="level">{children()}</div>}
    </li>
  );
}

const refinements = (selection: Selection): number =>
  selection.filters.length + selection.sort.length + selection.options.size;

// A member of `map`, made where it is missing.
function member(map: Map<string, Selection>, name: string): Selection {
  const found = map.get(name) ?? emptySelection();
  map.set(name, found);
  return found;
}

function toggle(map: () => Map<string, Selection>, name: string): void {
  edit(() => {
    const members = map();
    if (!members.delete(name)) members.set(name, emptySelection());
  });
}

function Parts({ attribute, selection, reach, place }: LevelProps & { attribute: Attribute }) {
  const unknown = [...(selection?.parts.keys() ?? [])].filter((uid) => !attribute.targets.includes(uid));
  return (
    <ul>
      {targetsOf(state.model, attribute).map((type) => {
        const part = selection?.parts.get(type.uid);
        const inside = `${place}[on][${type.uid}]`;
        const reachPart = () => member(reach().parts, type.uid);
        return (
          <Row
            key={type.uid}
            name={type.uid}
            described={describes([type])}
            about={type.kind}
            place={inside}
            checked={part !== undefined}
            asked={part !== undefined && !isBare(part)}
            onToggle={() => toggle(() => reach().parts, type.uid)}
            refine={<Refinement selection={part!} types={[type]} many />}
            refined={part && refinements(part)}
          >
            {() => <Level types={[type]} selection={part} reach={reachPart} place={inside} />}
          </Row>
        );
      })}
      {unknown.map((uid) => (
        <Unknown key={uid} name={uid} />
      ))}
    </ul>
  );
}

// What is populated in every part of a zone.
function EveryPart(props: LevelProps) {
  const names = attributesOf(props.types).filter((attribute) => !isScalar(attribute));
  if (props.selection?.parts.size || !names.length) return null;
  return (
    <>
      <p class="hint">In all of them:</p>
      <Relations {...props} />
      <p class="hint">Or only those that are ticked, with on:</p>
    </>
  );
}

function describe(model: Model, attribute: Attribute): string {
  const many = attribute.many ? ' [ ]' : '';
  if (attribute.type === 'media') return `${attribute.many ? 'files' : 'file'}`;
  if (attribute.type === 'dynamiczone') return `dynamic zone of ${attribute.targets.length}`;
  if (attribute.targets.length > 1) return `any of ${attribute.targets.length} types${many}`;
  const sign = attribute.type === 'component' ? '◇' : '→';
  return `${sign} ${targetsOf(model, attribute)[0]?.name ?? attribute.targets[0]}${many}`;
}

function Relations({ types, selection, reach, place }: LevelProps) {
  const key = (name: string): string => (place ? `${place}[${name}]` : name);
  const others = attributesOf(types).filter((attribute) => !isScalar(attribute));
  return (
    <ul aria-label="relations, components and media">
      {others.map((attribute) => {
        const { name } = attribute;
        const populated = selection?.populate.get(name);
        const level: LevelProps = {
          types: targetsOf(state.model, attribute),
          selection: populated,
          reach: () => member(reach().populate, name),
          place: `${key('populate')}[${name}]`,
        };
        const parts = hasParts(attribute);
        return (
          <Row
            key={name}
            name={name}
            described={describes(types, attribute)}
            about={describe(state.model, attribute)}
            place={level.place}
            checked={populated !== undefined}
            asked={populated !== undefined && !isBare(populated)}
            onToggle={() => toggle(() => reach().populate, name)}
            refine={
              !parts && (
                <Refinement
                  selection={populated!}
                  types={level.types}
                  many={attribute.many}
                  takesLimit={name !== 'localizations'}
                />
              )
            }
            refined={populated && refinements(populated)}
          >
            {() =>
              parts ? [<EveryPart {...level} />, <Parts {...level} attribute={attribute} />] : <Level {...level} />
            }
          </Row>
        );
      })}
    </ul>
  );
}

export function Level(props: LevelProps) {
  const { types, selection } = props;
  const names = attributesOf(types);
  const lost = (asked: Iterable<string>, scalar: boolean) =>
    [...asked].filter((name) => !names.some((one) => one.name === name && isScalar(one) === scalar));
  return (
    <>
      <Fields {...props} />
      {selection && (
        <ul class="lost">
          {lost(selection.fields, true).map((name) => (
            <Unknown key={name} name={name} />
          ))}
          {lost(selection.populate.keys(), false).map((name) => (
            <Unknown key={name} name={name} />
          ))}
        </ul>
      )}
      {selection?.deep && (
        <p class="hint">
          everything, {(Number(selection.deep.slice(5)) || 5) - 1} levels down{' '}
          <button type="button" onClick={() => edit(() => void (selection.deep = ''))}>
            rather tick
          </button>
        </p>
      )}
      <Relations {...props} />
    </>
  );
}

// Up and down go from box to box, right and left open and close its row.
export function walk(event: KeyboardEvent): void {
  const box = event.target as HTMLElement;
  if (!box.matches('input[data-row]')) return;
  const boxes = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('input[data-row]')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) boxes[boxes.indexOf(box) + step]?.focus();
  else if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
  else {
    const button = box.closest('.row > div')?.querySelector<HTMLElement>('.fold');
    if (button && button.getAttribute('aria-expanded') === String(event.key === 'ArrowLeft')) button.click();
  }
  event.preventDefault();
}
