/**
 * A desktop without a display on which the screen reader Orca reads a browser: keys are pressed as on a keyboard,
 * and the speech is collected from the log of Orca.
 */
import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { browserFlags } from '../lib/browser.ts'
import { stop } from '../lib/processes.ts'
import { temporaryFolder } from '../lib/server-process.ts'

/** Programs of the session, by the Debian package that has them. */
const programs: Readonly<Record<string, readonly string[]>> = {
  orca: ['orca'],
  xvfb: ['Xvfb'],
  dbus: ['dbus-daemon'],
  'at-spi2-core': ['/usr/libexec/at-spi-bus-launcher'],
  'speech-dispatcher': ['speech-dispatcher'],
  openbox: ['openbox'],
  xdotool: ['xdotool'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
}

const folders = (process.env['PATH'] ?? '').split(delimiter)
const findProgram = (names: readonly string[]) =>
  names.flatMap((name) => folders.map((folder) => (name.startsWith('/') ? name : join(folder, name)))).find(existsSync)

/** Returns the packages whose program is missing on this machine. */
export const missingPackages = (): string[] =>
  Object.entries(programs).flatMap(([name, files]) => (findProgram(files) ? [] : [name]))

/** Milliseconds to wait for expected speech, on a loaded machine too. */
const speechTimeout = 45_000
/** Milliseconds without a line in the log after which Orca has nothing more to say. */
const quietMilliseconds = 1_200

/**
 * Settings of Orca: it reads no whole page and no keys, and its log has speech without details of events, each line
 * at once.
 */
const orcaSettings = `import orca.debug
import orca.settings
orca.debug.debugLevel = orca.debug.LEVEL_INFO
orca.debug.debugFile.reconfigure(line_buffering=True)
orca.settings.sayAllOnLoad = False
orca.settings.enableKeyEcho = False
`
/** A speech module that speaks at once and without sound. */
const speechModule = 'GenericExecuteSynth "true"\nGenericCmdDependency "sh"\nAddVoice "en" "MALE1" "silent"\n'
const speechSettings = 'LogLevel 1\nAddModule "silent" "sd_generic" "silent.conf"\nDefaultModule silent\n'

/** A browser that is read aloud. */
export interface ReaderSession {
  page: Page
  /** Presses keys one after the other, by their names in X. */
  pressKeys: (...keys: string[]) => void
  /** Types text, letter by letter. */
  type: (text: string) => void
  /** Waits until all patterns were spoken since the last call, and returns the speech. */
  listenForSpeech: (...patterns: RegExp[]) => Promise<string[]>
  close: () => Promise<void>
}

/** Reads the first line that a program writes to one of its streams. */
async function firstLine(child: ChildProcess, stream: 1 | 3): Promise<string> {
  const source = child.stdio[stream]
  if (!source || !('on' in source)) throw new Error('The stream is not open')
  return await new Promise((resolve, reject) => {
    source.on('data', (data: Buffer) => resolve(data.toString().trim()))
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)))
  })
}

/** Writes the settings of Orca and of the speech into a home folder, and returns its environment. */
function makeHome(folder: string): Record<string, string> {
  const [home, runtime] = [join(folder, 'home'), join(folder, 'run')]
  const [speech, data] = [join(home, '.config/speech-dispatcher'), join(home, '.local/share')]
  for (const path of [join(speech, 'modules'), join(data, 'orca')]) mkdirSync(path, { recursive: true })
  mkdirSync(runtime, { mode: 0o700 })
  writeFileSync(join(data, 'orca/orca-customizations.py'), orcaSettings)
  writeFileSync(join(speech, 'speechd.conf'), speechSettings)
  writeFileSync(join(speech, 'modules/silent.conf'), speechModule)
  return {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: data,
    XDG_RUNTIME_DIR: runtime,
    ACCESSIBILITY_ENABLED: '1',
    GNOME_ACCESSIBILITY: '1',
  }
}

/** Returns a function that reads the speech that was added to the log of Orca since its last call. */
function followLog(log: string) {
  let position = 0
  let incompleteLine = ''
  return (): { speech: string[]; hasGrown: boolean } => {
    const size = existsSync(log) ? statSync(log).size : 0
    if (size === position) return { speech: [], hasGrown: false }
    const file = openSync(log, 'r')
    const bytes = Buffer.alloc(size - position)
    position += readSync(file, bytes, 0, bytes.length, position)
    closeSync(file)
    const lines = `${incompleteLine}${bytes.toString()}`.split('\n')
    incompleteLine = lines.pop() ?? ''
    const speechLines = lines.flatMap((line) => /SPEECH OUTPUT: '(.*?)'(?: ?\{.*)?$/.exec(line)?.[1]?.trim() || [])
    return { speech: speechLines, hasGrown: true }
  }
}

/**
 * Starts the desktop, Orca, and a browser in its own window.
 *
 * @param url - Address that the browser opens first.
 * @throws When a program does not start.
 */
export async function startReader(url: string): Promise<ReaderSession> {
  const folder = temporaryFolder('screen-reader')
  const env = makeHome(folder)
  const log = join(folder, 'orca.log')
  const children: ChildProcess[] = []
  const start = (names: readonly string[], args: readonly string[], stdio: StdioOptions = 'ignore') => {
    const child = spawn(findProgram(names) ?? '', args, { env, stdio })
    children.push(child)
    return child
  }
  const outputFile = join(folder, 'orca.out')
  const output = openSync(outputFile, 'a')
  const closeSession = async () => {
    // The launcher ends its own bus when it is asked to; Orca may wait for a bus that has gone.
    for (const child of children.toReversed())
      await stop(child, child.spawnfile.endsWith('at-spi-bus-launcher') ? 'SIGTERM' : 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const display = start(
      ['Xvfb'],
      ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'],
      ['ignore', 'ignore', 'ignore', 'pipe'],
    )
    env['DISPLAY'] = `:${await firstLine(display, 3)}`
    const bus = start(
      ['dbus-daemon'],
      ['--session', '--nofork', '--nopidfile', '--print-address=1'],
      ['ignore', 'pipe', 'ignore'],
    )
    env['DBUS_SESSION_BUS_ADDRESS'] = await firstLine(bus, 1)
    start(programs['at-spi2-core'] ?? [], ['--launch-immediately'])
    start(['speech-dispatcher'], ['--run-single', '--timeout', '0'])
    start(['openbox'], [])
    const orca = start(['orca'], [`--debug-file=${log}`], ['ignore', output, output])
    const readLogGrowth = followLog(log)
    const listenForSpeech = async (...patterns: RegExp[]) => {
      const deadline = Date.now() + (patterns.length > 0 ? speechTimeout : 2_500)
      const spokenLines: string[] = []
      for (let lastGrowth = Date.now(); ;) {
        // Orca does not start beside another one of the same user, which belongs to that user's desktop.
        if (orca.exitCode !== null) throw new Error(`Orca has ended: ${readFileSync(outputFile, 'utf8')}`)
        const { speech, hasGrown } = readLogGrowth()
        spokenLines.push(...speech)
        if (hasGrown) lastGrowth = Date.now()
        const spokenText = spokenLines.join(' ')
        const isComplete = patterns.every((pattern) => pattern.test(spokenText))
        if ((isComplete && Date.now() - lastGrowth > quietMilliseconds) || Date.now() > deadline) return spokenLines
        await pause(200)
      }
    }
    await listenForSpeech(/Screen reader on/)
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: findProgram(programs['chromium'] ?? []) ?? '',
      headless: false,
      viewport: null,
      env,
      ignoreDefaultArgs: ['--enable-automation'],
      args: [
        ...browserFlags,
        '--force-renderer-accessibility',
        '--window-size=1440,900',
        '--window-position=0,0',
        '--test-type',
        '--password-store=basic',
        `--app=${url}`,
      ],
    })
    const page = context.pages()[0] ?? (await context.newPage())
    const xdotool = (...args: string[]) => spawnSync(findProgram(['xdotool']) ?? '', args, { env })
    return {
      page,
      pressKeys: (...keys) => void xdotool('key', '--delay', '150', ...keys),
      type: (text) => void xdotool('type', '--delay', '80', text),
      listenForSpeech: listenForSpeech,
      close: async () => {
        await context.close()
        await closeSession()
      },
    }
  } catch (error) {
    await closeSession()
    throw error
  }
}
