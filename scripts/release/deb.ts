/** The Debian package of a release. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { settingLines } from '../../packages/server/src/settings.ts'
import { repositoryRoot } from '../lib/processes.ts'
import { pack } from './archive.ts'

/** Names of processors in Debian, by those of Node. */
const debianNames: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Returns the name of a processor in Debian. */
export function debianArchitecture(architecture: string): string {
  const name = debianNames[architecture]
  if (name === undefined) throw new Error(`No Debian package is made for ${architecture}.`)
  return name
}

/** Settings that the service has values of its own for (`deploy/debian/dala.service`). */
const serviceValues: Readonly<Record<string, string>> = { NODE_ENV: 'production', DATA_DIR: '/var/lib/dala' }

/** Breaks a text into lines of a comment. */
function toComment(text: string): string {
  const lines: string[] = ['#']
  for (const word of text.split(' ')) {
    const lastLine = lines.at(-1) ?? ''
    if (lastLine.length + word.length > 98) lines.push(`# ${word}`)
    else lines[lines.length - 1] = `${lastLine} ${word}`
  }
  return lines.join('\n')
}

/**
 * Writes the file of settings of the service, with every setting explained and none set.
 *
 * @param lines - The settings with their defaults and meanings.
 */
export function defaultSettings(
  lines: readonly Readonly<{ name: string; preset: string; description: string }>[],
): string {
  const opening = toComment(
    'Settings of Dala, read by the service and by the command dala. Remove the # of a line and restart: systemctl restart dala. Put values with other characters than letters and digits into single quotes. Only root and the group dala may read this file.',
  )
  const sections = lines.map(
    ({ name, preset, description }) => `${toComment(`${description}.`)}\n#${name}='${serviceValues[name] ?? preset}'`,
  )
  return `${[opening, ...sections].join('\n\n')}\n`
}

/** Returns the file `control` of the package. */
function controlText(version: string, architecture: string, kilobytes: number): string {
  return `Package: dala
Version: ${version}
Section: web
Priority: optional
Architecture: ${architecture}
Maintainer: The Dala authors <dala@example.org>
Installed-Size: ${kilobytes}
Depends: adduser, init-system-helpers (>= 1.54), util-linux, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)
Suggests: postgresql, postgresql-client, nginx | caddy
Description: back-office of an agricultural services platform
 Panel, API and database for staff, consultants and administrators, in English,
 Russian, Uzbek and Karakalpak. It contains the version of Node that it runs on
 and an embedded database; a PostgreSQL server can be used instead.
`
}

/** Returns the file `copyright` of the package. */
function copyrightText(licence: string): string {
  const paragraphs = licence.trim().replaceAll(/^$/gmu, '.').replaceAll(/^/gmu, ' ')
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: dala
Comment: Licences of the packages in /usr/lib/dala/node_modules and of the built panel
 are in /usr/lib/dala/THIRD-PARTY-LICENSES.txt.

Files: *
Copyright: 2026 The Dala authors
License: Expat
${paragraphs}
`
}

const installFile = (source: string, target: string, mode: number) => {
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(source, target)
  chmodSync(target, mode)
}

const writeFile = (target: string, text: string, mode: number) => {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  chmodSync(target, mode)
}

/** Sum of the sizes of all files below a folder, in KiB. */
function kilobytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + Math.ceil(statSync(join(parentPath, name)).size / 1_024), 0)
}

/**
 * Makes the Debian package of a release with `dpkg-deb`.
 *
 * @param file - The file to write.
 * @param staged - The folder of the release, which is moved into the package.
 * @param folder - An empty folder for the content of the package.
 * @param release - Version, processor and time of the release.
 */
export async function packDebian(
  file: string,
  staged: string,
  folder: string,
  { version, architecture, commitTime }: { version: string; architecture: string; commitTime: number },
): Promise<void> {
  const sources = join(repositoryRoot, 'deploy/debian')
  mkdirSync(join(folder, 'usr/lib'), { recursive: true })
  renameSync(staged, join(folder, 'usr/lib/dala'))
  installFile(join(sources, 'dala.sh'), join(folder, 'usr/bin/dala'), 0o755)
  installFile(join(sources, 'dala.service'), join(folder, 'lib/systemd/system/dala.service'), 0o644)
  writeFile(join(folder, 'etc/default/dala'), defaultSettings(settingLines), 0o640)
  const licence = readFileSync(join(repositoryRoot, 'LICENSE'), 'utf8')
  writeFile(join(folder, 'usr/share/doc/dala/copyright'), copyrightText(licence), 0o644)
  const kilobytes = kilobytesOf(folder)
  writeFile(join(folder, 'DEBIAN/conffiles'), '/etc/default/dala\n', 0o644)
  writeFile(join(folder, 'DEBIAN/control'), controlText(version, architecture, kilobytes), 0o644)
  for (const script of ['postinst', 'prerm', 'postrm'])
    installFile(join(sources, script), join(folder, 'DEBIAN', script), 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  await pack('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z9', '--build', folder, file], commitTime)
}
