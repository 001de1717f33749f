/** Builds a release into a folder. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checksumOf, packArchive } from './archive.ts'
import { debianArchitecture, packDebian } from './deb.ts'
import { stageRelease } from './stage.ts'

export interface ReleaseOptions {
  /** Whether changes that are not committed are packed too. */
  takesChanges: boolean
  /** Whether a Debian package is made as well. */
  withDebian: boolean
}

/** A built release. */
export interface Release {
  archive: string
  /** The Debian package, if it was asked for. */
  debian: string | undefined
  packageCount: number
  /** Megabytes of the archive and of the Debian package. */
  megabytes: readonly number[]
  checksums: readonly string[]
}

/**
 * Builds a release: the archive, its checksums, the list of its components and the licences of its packages.
 *
 * @param target - The folder for the files, made when it is missing.
 * @returns What was built.
 * @throws With a sentence for the terminal.
 */
export async function buildRelease(target: string, { takesChanges, withDebian }: ReleaseOptions): Promise<Release> {
  if (process.platform !== 'linux') throw new Error('Releases are built on Linux.')
  const workFolder = mkdtempSync(join(tmpdir(), 'dala-release-'))
  try {
    mkdirSync(target, { recursive: true })
    // A build of a container takes the only archive.
    for (const name of readdirSync(target).filter((file) => /^dala[-_].+\.(?:tar\.gz|deb)$/u.test(file)))
      rmSync(join(target, name))
    const stagingFolder = join(workFolder, 'staged')
    mkdirSync(stagingFolder)
    const { version, packageCount, documents, commitTime, name } = await stageRelease(stagingFolder, takesChanges)
    const archive = join(target, `${name}-linux-${process.arch}.tar.gz`)
    await packArchive(archive, stagingFolder, name, commitTime)
    const architecture = debianArchitecture(process.arch)
    const debian = withDebian ? join(target, `dala_${version}_${architecture}.deb`) : undefined
    if (debian !== undefined) {
      const release = { version, architecture, commitTime }
      await packDebian(debian, join(stagingFolder, name), join(workFolder, 'debian'), release)
    }
    for (const [file, text] of Object.entries(documents)) writeFileSync(join(target, file), text)
    const packed = [archive, ...(debian === undefined ? [] : [debian])]
    const files = [...packed, ...Object.keys(documents).map((file) => join(target, file))].toSorted()
    const lines: string[] = []
    for (const file of files) lines.push(`${await checksumOf(file)}  ${file.slice(target.length + 1)}`)
    writeFileSync(join(target, 'SHA256SUMS'), `${lines.join('\n')}\n`)
    const megabytes = packed.map((file) => statSync(file).size / 1_000_000)
    return { archive, debian, packageCount, megabytes, checksums: lines }
  } finally {
    rmSync(workFolder, { recursive: true, force: true })
  }
}
