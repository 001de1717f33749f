/** Twenty-one kinds of hostile uploads in as many variants as requested, identical in every run. */
import { randomBytes } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'
import {
  archive,
  makeAnimation,
  joinBytes,
  latin,
  compressZeros,
  makePlainPicture,
  pngBomb,
  signatures,
  addComment,
} from './hostile-pictures.ts'

/** Upload request of a hostile file: the media type that it claims, and the bytes that it sends. */
export interface HostileFile {
  kind: string
  name: string
  type: string
  bytes: Buffer
  /** Whether the hostile file is sent as the body itself instead of a part of a form. */
  raw?: boolean
  /** Whether the file is sent as a document, by a resumable upload. */
  document?: boolean
  /** Claimed length of the file, when it is false. */
  claimedSize?: number
}

type MakeFile = (variant: number) => Promise<Omit<HostileFile, 'kind'>> | Omit<HostileFile, 'kind'>

const script = '<script>fetch("/api/users").then(alert)</script>'
const claimedTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'text/html',
  'application/octet-stream',
] as const
function pickItem<T>(items: readonly T[], variant: number): T {
  const item = items[variant % items.length]
  if (item === undefined) throw new Error('There is nothing to pick from')
  return item
}
const claimedFile = (bytes: Buffer, variant: number, name = `field-${variant}.png`) => ({
  bytes,
  name,
  type: pickItem(claimedTypes, variant),
})
const formats = ['jpeg', 'png', 'webp', 'gif'] as const

const svg = (variant: number) => `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(${variant})">${script}</svg>`
const xml = (variant: number) =>
  `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b${variant} SYSTEM "file:///etc/passwd">]><a>&b${variant};</a>`
const names = [
  '../../../../etc/cron.d/field.png',
  '..\\..\\windows\\field.png',
  '/etc/passwd.png',
  'field.png\x00.svg',
  'a\r\nset-cookie: x=1.png',
  '\u202egnp.exe',
  'CON.png',
  '%2e%2e%2f%2e%2e%2ffield.png',
  '.htaccess',
  `${'a'.repeat(4_000)}.png`,
]

/** Archives with macros, as programs write them: parts by Word, by Excel 4 and by LibreOffice. */
const macroArchives = (variant: number) =>
  ['word/vbaProject.bin', 'xl/macrosheets/sheet1.xml', 'Basic/Standard/Module1.xml'].map((macroFile) =>
    Buffer.from(zipSync({ '[Content_Types].xml': strToU8('<Types/>'), [macroFile]: strToU8('x'.repeat(variant + 1)) })),
  )

const kinds: Readonly<Record<string, MakeFile>> = {
  SVG: (variant) => claimedFile(latin(' '.repeat(variant) + svg(variant)), variant),
  HTML: (variant) => claimedFile(latin(`${'\n'.repeat(variant)}<!doctype html>${script}`), variant),
  XML: (variant) => claimedFile(latin(xml(variant)), variant),
  PDF: (variant) => claimedFile(latin(`%PDF-1.${variant}\n1 0 obj <</S /JavaScript /JS (app.alert(1))>>`), variant),
  ZIP: (variant) => claimedFile(archive('x'.repeat(variant * 7)), variant),
  'GIF and script': (variant) => claimedFile(latin(`GIF89a/*${'\0'.repeat(variant + 4)}*/=1;alert(1)//`), variant),
  'JPEG and page': async (variant) => {
    const jpeg = await makePlainPicture(60 + variant, 40)
      .jpeg()
      .toBuffer()
    return claimedFile(
      variant % 2 === 0 ? joinBytes(jpeg, `<html >${script}`) : addComment(jpeg, latin(script)),
      variant,
    )
  },
  'decompression bomb': (variant) =>
    claimedFile(variant % 2 === 0 ? pngBomb(60_000 + variant, 60_000, 40_000_000) : compressZeros(40_000_000), variant),
  'more than 50 megapixels': (variant) => claimedFile(pngBomb(8_000 + variant, 7_500, 1_000_000), variant),
  'a side of more than 12,000 pixels': async (variant) => {
    const [width, height] = variant % 2 === 0 ? [12_001, 10 + variant] : [10 + variant, 12_001]
    return claimedFile(
      await makePlainPicture(width, height)
        .toFormat(pickItem(['png', 'jpeg'] as const, variant))
        .toBuffer(),
      variant,
    )
  },
  'more than 200 frames': async (variant) => {
    const frames = makeAnimation(201 + variant)
    const bytes = variant % 2 === 0 ? frames.gif({ keepDuplicateFrames: true }) : frames.webp({ effort: 0 })
    return claimedFile(await bytes.toBuffer(), variant)
  },
  'more than 10 MB': (variant) => {
    const bytes = joinBytes(pickItem(Object.values(signatures), variant), randomBytes(10 * 1_048_576 + variant))
    return { ...claimedFile(bytes, variant), type: 'image/png', raw: variant % 2 === 1 }
  },
  'cut off': async (variant) => {
    // Files that are cut off lack pixels for sure, because rows of noise cannot be computed from the first
    // rows.
    const noiseImage = { width: 200, height: 200, channels: 3 } as const
    const wholeImage = await sharp(randomBytes(120_000), { raw: noiseImage })
      .toFormat(pickItem(formats, variant))
      .toBuffer()
    return claimedFile(wholeImage.subarray(0, Math.floor(wholeImage.length * (0.2 + 0.05 * (variant % 10)))), variant)
  },
  'wrong magic': async (variant) => {
    const bytes = await makePlainPicture(40, 30 + variant)
      .toFormat(pickItem(formats, variant))
      .toBuffer()
    return claimedFile(joinBytes(pickItem(Object.values(signatures), variant), bytes.subarray(4)), variant)
  },
  'name that leads elsewhere': (variant) => claimedFile(latin(svg(variant)), variant, pickItem(names, variant)),
  'office file with macros': (variant) => {
    const ole = joinBytes(Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504 + variant))
    const bytes = [joinBytes(ole, Buffer.from('_VBA_PROJECT', 'utf16le')), ...macroArchives(variant)]
    return { ...claimedFile(pickItem(bytes, variant), variant, `plan-${variant}.docx`), document: true }
  },
  empty: (variant) => ({ ...claimedFile(Buffer.alloc(0), variant), type: 'image/png', raw: variant % 2 === 1 }),
  NUL: (variant) => claimedFile(Buffer.alloc(1 + variant * 70_000), variant),
  'huge metadata': async (variant) => {
    const jpeg = await makePlainPicture(40, 30).jpeg().toBuffer()
    const fillerBytes = Buffer.alloc(variant % 2 === 0 ? 11 * 1_048_576 : 3 * 1_048_576, 'dala ')
    return claimedFile(addComment(jpeg, joinBytes(fillerBytes, script)), variant)
  },
  'form in a form': (variant) => {
    const innerPart = `--in\r\ncontent-disposition: file; filename="a.png"\r\n\r\n${svg(variant)}\r\n--in--\r\n`
    return { bytes: latin(innerPart), name: `field-${variant}.png`, type: 'multipart/mixed; boundary=in' }
  },
  'lying type or length': async (variant) => {
    const png = await makePlainPicture(40, 30 + variant)
      .png()
      .toBuffer()
    const lie = { name: `field-${variant}.png`, raw: true }
    const fileCases = [
      { ...lie, bytes: png, type: 'image/png', claimedSize: png.length - 20 },
      { ...lie, bytes: png, type: 'image/png', claimedSize: png.length + 5_000 },
      { ...lie, bytes: latin(svg(variant)), type: 'image/svg+xml' },
      { ...lie, bytes: png, type: 'application/json' },
      { ...lie, bytes: png, type: 'multipart/form-data' },
    ]
    return pickItem(fileCases, variant)
  },
}

/**
 * Makes hostile files, every kind equally often, in turn.
 *
 * @param count - Number of files.
 */
export async function* hostileFiles(count: number): AsyncGenerator<HostileFile> {
  const list = Object.entries(kinds)
  for (let index = 0; index < count; index += 1) {
    const [kind, make] = pickItem(list, index)
    yield { kind, ...(await make(Math.floor(index / list.length))) }
  }
}

export const kindCount = Object.keys(kinds).length
