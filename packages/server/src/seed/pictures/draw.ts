/**
 * Draws pictures in a program of its own: the server itself does not read SVG (checklist §4), and drawing leaves no
 * memory behind in it. Reads a list of drawings as JSON and writes JPEG files into a folder.
 * The folder is the argument of the program; the drawings come through the standard input.
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
