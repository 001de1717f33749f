/**
 * Build plugin: writes `.br` and `.gz` beside every text file of the build, so that the server compresses
 * none.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressiblePattern = /\.(js|css|html|svg|json)$/
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export function precompressFiles(): Plugin {
  let folder = ''
  return {
    name: 'dala:precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      const compressibleFiles = files.filter((file) => compressiblePattern.test(file) && !file.startsWith('.vite'))
      await Promise.all(
        compressibleFiles.map(async (file) => {
          const path = join(folder, file)
          const body = await readFile(path)
          await Promise.all([
            brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).then((packed) =>
              writeFile(`${path}.br`, packed),
            ),
            zip(body, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
          ])
        }),
      )
    },
  }
}
