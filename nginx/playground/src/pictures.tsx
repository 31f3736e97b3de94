// Thumbnails of the files in a response.
import { useMemo, useState } from 'preact/hooks';

interface Picture {
  url: string;
  text: string;
}

interface File {
  mime?: unknown;
  url?: unknown;
  formats?: { thumbnail?: { url?: unknown } } | null;
  alternativeText?: unknown;
  name?: unknown;
}

const isHere = (url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin;

// Of images that this site serves, in the order of the response.
function* picturesIn(json: unknown): Generator<Picture> {
  if (typeof json !== 'object' || json === null) return;
  const { formats, ...rest } = json as File;
  const { mime, url, alternativeText, name } = rest;
  const isFile = typeof mime === 'string'; // whose formats are the same picture
  const small = formats?.thumbnail?.url ?? url;
  if (isFile && mime.startsWith('image/') && isHere(small))
    yield { url: small, text: String(alternativeText || name || '') };
  for (const member of Object.values(isFile ? rest : json)) yield* picturesIn(member);
}

// One that cannot be loaded leaves no gap.
function Thumbnail({ url, text }: Picture) {
  const [broken, setBroken] = useState(false);
  return broken ? null : <img src={url} alt={text} title={text} loading="lazy" onError={() => setBroken(true)} />;
}

const most = 100;

export function Pictures({ json }: { json: unknown }) {
  const pictures = useMemo(
    () => [...new Map([...picturesIn(json)].map((one) => [one.url, one])).values()].slice(0, most),
    [json],
  );
  if (!pictures.length) return null;
  return (
    <div class="pictures" role="group" aria-label="files" tabIndex={0}>
      {pictures.map((picture) => (
        <Thumbnail key={picture.url} {...picture} />
      ))}
    </div>
  );
}
