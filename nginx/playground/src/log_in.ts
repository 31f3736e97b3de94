// Strapi's logins, which a site has where the CMS is behind the same server.
const route = '/api/auth/local';

const post = (body: object): Promise<Response> =>
  fetch(route, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

// A login without a name is refused for that where logins are taken: 400, or 429 if there were many.
export const takesLogins = (): Promise<boolean> =>
  post({}).then(
    ({ status }) => status === 400 || status === 429,
    () => false,
  );

interface Entry {
  token: string; // '': refused
  error: string;
}

export async function logIn(identifier: string, password: string): Promise<Entry> {
  try {
    const response = await post({ identifier, password });
    const { jwt, error } = (await response.json()) as { jwt?: string; error?: { message?: string } };
    return jwt ? { token: jwt, error: '' } : { token: '', error: error?.message ?? `refused: ${response.status}` };
  } catch (error) {
    return { token: '', error: String(error) };
  }
}
