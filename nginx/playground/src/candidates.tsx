// What fits below a field: arrows choose, Tab and Enter take, Escape sends it away.
import { useEffect, useState } from 'preact/hooks';
import { type Candidate } from './completion';

interface Props {
  label: string;
  candidates: Candidate[];
  chosen: number;
  accept: (index: number) => void;
}

export function Candidates({ label, candidates, chosen, accept }: Props) {
  useEffect(() => document.getElementById(`candidate-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <ul id="candidates" class="candidates" role="listbox" aria-label={label}>
      {candidates.map(({ name, about }, i) => (
        <li
          key={name}
          id={`candidate-${i}`}
          role="option"
          aria-selected={i === chosen}
          onMouseDown={(event) => event.preventDefault()} // the field keeps the focus
          onClick={() => accept(i)}
        >
          <code>{name}</code> <small>{about}</small>
        </li>
      ))}
    </ul>
  );
}

// `first`: what is chosen before an arrow was pressed; -1: none.
export function useChoice(count: number, first: number, accept: (index: number) => void, close: () => void) {
  const [chosen, setChosen] = useState(first);
  const reset = () => setChosen(first);
  // Whether the key was meant for the list.
  const take = ({ key, ctrlKey, shiftKey }: KeyboardEvent): boolean => {
    if (!count) return false;
    const places = count + 1; // none is one, too
    if (key === 'ArrowDown') setChosen(((chosen + 2) % places) - 1);
    else if (key === 'ArrowUp') setChosen(((chosen + places) % places) - 1);
    else if ((key === 'Tab' && !shiftKey) || (key === 'Enter' && !ctrlKey && chosen >= 0)) accept(Math.max(chosen, 0));
    else if (key === 'Escape') close();
    else {
      if (/^(Arrow|Home|End|Enter)/.test(key)) close();
      return false;
    }
    return true;
  };
  return { chosen, reset, take };
}

// What the field of such a list says of it.
export const listAttributes = (count: number, chosen: number) =>
  ({
    'aria-autocomplete': 'list',
    'aria-controls': 'candidates',
    'aria-activedescendant': count && chosen >= 0 ? `candidate-${chosen}` : undefined,
  }) as const;
