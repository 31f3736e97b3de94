import { render } from 'preact';
import { readModel } from './model';
import { Page } from './page';
import { start } from './state';
import './style.css';
import './url.css';
import './query.css';
import './result.css';

const root = document.getElementById('page')!;

function Absent({ status }: { status: number }) {
  return (
    <p class="absent" role="alert">
      The content model could not be read: <code>/_openapi</code> answers {status || 'nothing'}. It is served where{' '}
      <code>openapi-route = true</code>.
    </p>
  );
}

async function begin(): Promise<void> {
  const response = await fetch('/_openapi').catch(() => null);
  if (!response?.ok) return render(<Absent status={response?.status ?? 0} />, root);
  const draw = () => render(<Page />, root);
  await start(readModel(await response.json()), draw);
  performance.mark('tree');
}

void begin();
