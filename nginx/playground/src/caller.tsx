// Who asks: anybody, or whom a token stands for. It is in memory alone, and goes with the page.
import { useState } from 'preact/hooks';
import { run, setToken, state } from './state';
import { logIn, takesLogins } from './log_in';

function Login() {
  const [said, setSaid] = useState('');
  const submit = async (form: HTMLFormElement) => {
    const { identifier, password } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const { token, error } = await logIn(identifier, password);
    setSaid(error);
    if (!token) return;
    form.reset();
    setToken(token);
    void run();
  };
  return (
    <form onSubmit={(event) => (event.preventDefault(), void submit(event.currentTarget))}>
      <h3>Or log in</h3>
      <input
        name="identifier"
        aria-label="name or email"
        placeholder="name or email"
        autocomplete="username"
        required
      />
      <input
        name="password"
        type="password"
        aria-label="password"
        placeholder="password"
        autocomplete="current-password"
        required
      />
      <button type="submit">Log in</button>
      <p class="bad" role="alert">
        {said}
      </p>
    </form>
  );
}

function Token() {
  return (
    <form onSubmit={(event) => (event.preventDefault(), void run())}>
      <label for="token">API token, or JWT</label>
      <input
        type="password"
        id="token"
        autocomplete="off"
        placeholder="none: as the public"
        value={state.token}
        onInput={(event) => setToken(event.currentTarget.value.trim())}
        onChange={() => void run()}
      />
      <p class="hint">Sent as Authorization: Bearer, and forgotten with this page.</p>
    </form>
  );
}

// Logins are the CMS's: whether there is one to take them is asked when somebody looks.
export function Caller() {
  const [logins, setLogins] = useState<boolean | undefined>();
  const look = async () => setLogins(await takesLogins());
  return (
    <details
      class="drop caller"
      name="drop"
      onToggle={(event) => event.currentTarget.open && logins === undefined && void look()}
    >
      <summary>{state.token ? 'By token' : 'Public'}</summary>
      <div>
        <Token />
        {logins && <Login />}
      </div>
    </details>
  );
}
