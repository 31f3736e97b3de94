// The plan as a picture: a box for each node, with its statement, rows and time.
import { duration } from './response';
import { type Explanation, type PlanNode } from './ask';

const keywords =
  /\b(SELECT|DISTINCT|FROM|WHERE|AND|OR|NOT|IN|IS|NULL|EXISTS|INNER|LEFT|JOIN|ON|ORDER BY|GROUP BY|LIMIT|OFFSET|ASC|DESC|AS|COUNT|ROW_NUMBER|OVER|PARTITION BY)\b/;

// Clauses on lines of their own, keywords set off.
function Statement({ sql }: { sql: string }) {
  const lines = sql.replace(/ (FROM|(?:INNER |LEFT )?JOIN|WHERE|ORDER BY|LIMIT)\b/g, '\n$1');
  return (
    <pre class="sql" tabIndex={0}>
      {lines.split(keywords).map((piece, i) => (i % 2 ? <b>{piece}</b> : piece))}
    </pre>
  );
}

const sources = { root: 'entries', link: 'through the link', pairs: 'which types and ids', target: 'one type of it' };

interface BoxProps {
  title: string;
  about: string;
  rows: number;
  milliseconds: number;
  slowest: number;
  statements: number;
  sql: string;
}

function Box({ title, about, rows, milliseconds, slowest, statements, sql }: BoxProps) {
  return (
    <article class="box" data-statements={statements}>
      <header>
        <b>{title}</b> <small>{about}</small>
      </header>
      <p>
        <span>
          {rows} {rows === 1 ? 'row' : 'rows'}
        </span>
        {statements === 0 ? <span>no statement needed</span> : <span>{duration(milliseconds)}</span>}
        {statements > 1 && <span>{statements} statements</span>}
      </p>
      <div class="time" aria-hidden="true">
        <i style={{ width: `${(100 * milliseconds) / slowest}%` }} />
      </div>
      {sql && (
        <details>
          <summary>statement</summary>
          <Statement sql={sql} />
        </details>
      )}
    </article>
  );
}

const titleOf = (node: PlanNode): string =>
  node.source === 'root'
    ? (node.type ?? '')
    : node.source === 'target'
      ? (node.type ?? node.path)
      : node.attributes.join(', ') || node.path;

export function PlanView({ explanation, asked }: { explanation: Explanation | null; asked: boolean }) {
  if (!asked) return null;
  if (!explanation)
    return (
      <p class="hint">
        The plan is shown where the server has <code>explain-route = true</code>.
      </p>
    );
  const { nodes, total } = explanation;
  if (!nodes.length) return <p class="hint">The request was refused before there was a plan.</p>;
  const slowest = Math.max(0.01, total?.milliseconds ?? 0, ...nodes.map(({ milliseconds }) => milliseconds));

  const below = (parent: number | null) => {
    const children = nodes.filter((node) => node.parent === parent);
    if (!children.length && parent !== null) return null;
    return (
      <ul>
        {children.map((node) => (
          <li key={node.node}>
            <Box
              title={titleOf(node)}
              about={node.source === 'link' && node.type ? `→ ${node.type}` : sources[node.source]}
              {...{
                slowest,
                rows: node.rows,
                milliseconds: node.milliseconds,
                statements: node.statements,
                sql: node.sql,
              }}
            />
            {below(node.node)}
          </li>
        ))}
        {parent === null && total && (
          <li>
            <Box title="total" about="for meta.pagination" statements={1} {...{ slowest, ...total }} />
          </li>
        )}
      </ul>
    );
  };
  return <div class="plan">{below(null)}</div>;
}
