/** Refuses pictures of the README and of the guide that are much older than the screens they show. */
import { repositoryRoot, run } from '../lib/processes.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

/** Folders of pictures, and the scripts that take them. */
const pictures: Readonly<Record<string, string>> = {
  'docs/images': 'screenshots',
  'docs/guide/pictures': 'guide-pictures',
}
/** Files that decide how screens look: components, styles and texts. */
const screens = ['packages/panel/src', 'packages/model/src/labels']
/** Number of days for which changed screens may wait for new pictures. */
const maxDays = 30
const day = 86_400_000

/** Pictures in a folder, and the time of the last commit of them. */
interface DatedPictures {
  folder: string
  /** The script of package.json that takes them. */
  script: string
  captureDate: Date
}

/**
 * Compares the dates of pictures and screens.
 *
 * @param pictures - The pictures of one folder.
 * @param screenDate - The time of the last commit of the screens.
 * @returns A sentence when the pictures are too old, else undefined.
 */
export function outdatedPictures({ folder, script, captureDate }: DatedPictures, screenDate: Date): string | undefined {
  const days = Math.floor((screenDate.getTime() - captureDate.getTime()) / day)
  if (days <= maxDays) return undefined
  return `The pictures in ${folder} are ${days} days older than the screens; \`npm run ${script}\` takes them anew.`
}

/** Returns the time of the last commit of the given paths; undefined outside a repository. */
async function lastCommit(paths: readonly string[]): Promise<Date | undefined> {
  const { code, output } = await run('git', ['log', '-1', '--format=%cI', '--', ...paths], { cwd: repositoryRoot })
  return code === 0 && output.trim() !== '' ? new Date(output.trim()) : undefined
}

export const pictureDates: Step = {
  name: 'Dates of the pictures',
  independent: true,
  run: async () => {
    const screenDate = await lastCommit(screens)
    const findings = await Promise.all(
      Object.entries(pictures).map(async ([folder, script]) => {
        const captureDate = await lastCommit([folder])
        return captureDate && screenDate && outdatedPictures({ folder, script, captureDate }, screenDate)
      }),
    )
    const output = findings.filter((finding) => finding !== undefined).join('\n')
    return output === '' ? passedTally : { ...failedTally, output }
  },
}
