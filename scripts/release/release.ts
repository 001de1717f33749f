/**
 * `npm run release`: builds an archive for servers into `dist/`, with everything that it needs to run.
 * `-- --deb` makes a Debian package as well, `-- --changed` packs changes that are not committed.
 */
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { buildRelease } from './build.ts'

try {
  const started = performance.now()
  const { archive, debian, packageCount, megabytes, checksums } = await buildRelease(join(repositoryRoot, 'dist'), {
    takesChanges: process.argv.includes('--changed'),
    withDebian: process.argv.includes('--deb'),
  })
  const sizes = megabytes.map((size) => `${size.toFixed(1)} MB`)
  for (const [index, file] of [archive, debian].filter((each) => each !== undefined).entries())
    console.log(`${file}  ${sizes[index]}`)
  console.log(`${packageCount} packages on the server, ${Math.round((performance.now() - started) / 1_000)} s`)
  console.log(checksums.join('\n'))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
