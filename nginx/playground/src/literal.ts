// A value as JavaScript is written: names without quotes where they need none.
import { type Value } from './query_string';

const quotedText = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;

export const nameOf = (name: string): string => (/^[\p{L}_$][\p{L}\d_$]*$|^\d+$/u.test(name) ? name : quotedText(name));

export function literal(value: Value, indent = ''): string {
  if (typeof value === 'string') return quotedText(value);
  if (value === null) return 'null';
  const deeper = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${literal(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const line = `${open}${Array.isArray(value) ? '' : ' '}${members.join(', ')}${Array.isArray(value) ? '' : ' '}${close}`;
  if (!members.length) return open + close;
  return line.length + indent.length < 70 && !line.includes('\n')
    ? line
    : `${open}\n${members.map((member) => `${deeper}${member},\n`).join('')}${indent}${close}`;
}
