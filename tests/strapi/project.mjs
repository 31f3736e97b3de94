// Projects made of the example of tests/data, and what describe.js says of them.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const describeScript = path.join(root, 'nginx/strapi/describe.js');

// Values that are nowhere in what is printed.
export const secrets = {
  APP_KEYS: 'first-key-of-the-site,second-key-of-the-site',
  API_TOKEN_SALT: 'salt-of-all-tokens',
  JWT_SECRET: 'jwt-secret-of-the-site',
  ADMIN_JWT_SECRET: 'secret-of-the-panel',
  TRANSFER_TOKEN_SALT: 'salt-of-transfers',
  ENCRYPTION_KEY: 'key-of-encrypted-fields',
  DATABASE_PASSWORD: 'password-of-the-account',
};

export const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

export const write = (folder, files) => {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
};

export const env = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join('');

// The example with these files written over it, on the packages of a folder that tests/reference/install made.
export function makeProject(folder, packages, files = {}) {
  const { dependencies } = read(path.join(packages, 'package.json'));
  const name = dependencies['@strapi/strapi'].startsWith('5') ? 'ks5' : 'ks';
  const example = path.join(root, 'build/projects', name);
  fs.mkdirSync(path.join(folder, 'public/uploads'), { recursive: true });
  for (const part of ['src', 'config'])
    fs.cpSync(path.join(example, part), path.join(folder, part), { recursive: true });
  delete dependencies['strapi-plugin-populate-deep'];
  if (!fs.existsSync(path.join(folder, 'node_modules')))
    fs.symlinkSync(path.join(packages, 'node_modules'), path.join(folder, 'node_modules'));
  write(folder, {
    'package.json': JSON.stringify({ name: 'site', version: '1.0.0', dependencies }),
    '.env': env(secrets),
    ...files,
  });
  return folder;
}

// The largest resident memory of a process so far, in MB, and its time on processors, in seconds.
function used(pid, before) {
  try {
    const peak = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const [user, system] = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .split(') ')[1]
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return peak ? { megabytes: peak / 1024, seconds: (user + system) / 100 } : before;
  } catch {
    return before; // it has ended
  }
}

// { status, out, error, megabytes, seconds }
export function run(command, options = {}) {
  const { PATH, HOME } = process.env;
  const [program, ...given] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, given, {
      env: { PATH, HOME, TZ: 'UTC', NODE_ENV: 'production', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const result = { out: '', error: '' };
    let most = { megabytes: 0, seconds: 0 };
    child.stdout.on('data', (data) => (result.out += data));
    child.stderr.on('data', (data) => (result.error += data));
    const poll = setInterval(() => (most = used(child.pid, most)), 50);
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearInterval(poll);
      resolve({ ...result, ...most, status: status ?? signal });
    });
  });
}

export const describe = (folder, given = [], options = {}) => run(['node', describeScript, folder, ...given], options);
