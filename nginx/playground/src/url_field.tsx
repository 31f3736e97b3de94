// The field of the URL: its text drawn with its mistakes, and what may be written at the caret.
import { useEffect, useRef, useState } from 'preact/hooks';
import { complete, type Completion, completionAt } from './completion';
import { type Marked } from './names';
import { run, setText, state } from './state';

function Written({ text, found }: { text: string; found: Marked[] }) {
  const pieces = [];
  let from = 0;
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    if (start < from) continue;
    pieces.push(<Quiet text={text.slice(from, start)} />, <mark>{text.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <pre aria-hidden="true">
      {pieces}
      <Quiet text={text.slice(from)} />{' '}
    </pre>
  );
}

// Punctuation steps back.
function Quiet({ text }: { text: string }) {
  return <>{text.split(/([?&=[\]]+)/).map((piece, i) => (i % 2 ? <i>{piece}</i> : piece))}</>;
}

interface ListProps {
  completion: Completion;
  chosen: number;
  accept: (index: number) => void;
}

function Candidates({ completion, chosen, accept }: ListProps) {
  useEffect(() => document.getElementById(`candidate-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <ul id="candidates" class="candidates" role="listbox" aria-label="what may stand here">
      {completion.candidates.map(({ name, about }, i) => (
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

// Offers what fits while somebody types, and on Ctrl+Space; not for what is pasted.
function useCompletion(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(-1); // -1: nothing is offered
  const [chosen, setChosen] = useState(-1); // -1: none yet
  const completion = caret < 0 ? null : completionAt(text, caret, state.model);

  const offer = (at: number) => {
    setCaret(at);
    setChosen(-1);
  };
  const accept = (index: number) => {
    const [written, behind] = complete(text, completion!, completion!.candidates[index]);
    setText(written);
    field.current!.setSelectionRange(behind, behind);
    offer(behind);
  };
  const typed = ({ inputType, data }: InputEvent) => {
    const isLetter =
      /^(deleteContent|insertComposition)/.test(inputType) || (inputType === 'insertText' && data?.length === 1);
    offer(isLetter ? field.current!.selectionStart : -1);
  };
  // Whether the key was meant for the list.
  const take = ({ key, ctrlKey, shiftKey }: KeyboardEvent): boolean => {
    if (key === ' ' && ctrlKey) return (offer(field.current!.selectionStart), true);
    if (!completion) return false;
    const places = completion.candidates.length + 1; // none is one, too
    if (key === 'ArrowDown') setChosen(((chosen + 2) % places) - 1);
    else if (key === 'ArrowUp') setChosen(((chosen + places) % places) - 1);
    else if ((key === 'Tab' && !shiftKey) || (key === 'Enter' && !ctrlKey && chosen >= 0)) accept(Math.max(chosen, 0));
    else if (key === 'Escape') offer(-1);
    else {
      if (/^(Arrow|Home|End|Enter)/.test(key)) offer(-1);
      return false;
    }
    return true;
  };
  return { field, completion, chosen, accept, typed, take, close: () => offer(-1) };
}

interface Props {
  text: string;
  found: Marked[];
  invalid: boolean;
}

export function UrlField({ text, found, invalid }: Props) {
  const { field, completion, chosen, accept, typed, take, close } = useCompletion(text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (take(event)) event.preventDefault();
    else if (event.key === 'Enter') {
      event.preventDefault();
      void run();
    }
  };
  return (
    <div class="url">
      <label>
        <span class="unseen">URL</span>
        <b>GET</b>
        <span class="written">
          <Written text={text} found={found} />
          <textarea
            ref={field}
            id="url"
            rows={1}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            aria-invalid={invalid}
            aria-describedby="mistakes"
            aria-autocomplete="list"
            aria-controls="candidates"
            aria-activedescendant={completion && chosen >= 0 ? `candidate-${chosen}` : undefined}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              typed(event as unknown as InputEvent);
            }}
            onKeyDown={onKeyDown}
            onMouseDown={close}
            onBlur={close}
          />
        </span>
      </label>
      {completion && <Candidates completion={completion} chosen={chosen} accept={accept} />}
    </div>
  );
}
