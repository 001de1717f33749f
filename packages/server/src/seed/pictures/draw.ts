/**
 * Draws pictures in a child process: the server itself does not read SVG (checklist §4), and drawing would
 * leave memory occupied. Reads a list of drawings as JSON from the standard input and writes JPEG files into
 * the folder of its argument.
 */
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

interface Sheet {
  name: string
  svg: string
}

sharp.concurrency(1)
const folder = process.argv[2] ?? ''
const sheets = JSON.parse((await buffer(process.stdin)).toString()) as readonly Sheet[]
for (const { name, svg } of sheets) {
  await sharp(Buffer.from(svg))
    .flatten({ background: '#fff' })
    .jpeg({ quality: 88 })
    .toFile(join(folder, `${name}.jpg`))
}
