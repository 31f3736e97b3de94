'use strict';
// A secret is named by its variable, and its value is nowhere in what is printed.
const named = /SECRET|SALT|PASS|PWD|TOKEN|KEY|CREDENTIAL|DSN/i;
const withPassword = /:\/\/[^/@\s]*:[^/@\s]+@/; // in a URL
const shortest = 6; // a shorter one would hide words

const secrets = new Map(); // value -> the name of its variable, or '' where it is written in the configuration

function keep(value, variable) {
  if (typeof value === 'string' && value.length >= shortest && !secrets.get(value)) secrets.set(value, variable);
}

// All variables whose names or values say so, and what the project's configuration has in the places of secrets.
function learn(configured) {
  for (const [name, value] of Object.entries(process.env))
    if (named.test(name) || withPassword.test(value)) keep(value, name);
  for (const value of configured.flat()) keep(value, variableOf(value)?.variable || '');
}

// { variable } of a value that is set; `like` says which of several variables is meant.
function variableOf(value, like = named) {
  if (typeof value !== 'string' || !value) return undefined;
  const names = Object.keys(process.env).filter((name) => process.env[name] === value);
  return { variable: names.find((name) => like.test(name)) || names[0] || null };
}

function hide(text) {
  for (const [value, variable] of secrets) text = text.split(value).join(variable ? `$${variable}` : '(a secret)');
  return text;
}

const hideIn = (object) =>
  JSON.parse(JSON.stringify(object, (key, value) => (typeof value === 'string' ? hide(value) : value)));
const isIn = (object) => JSON.stringify(object) !== JSON.stringify(hideIn(object));

module.exports = { learn, variableOf, hide, hideIn, isIn };
