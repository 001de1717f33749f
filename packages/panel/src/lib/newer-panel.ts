/** Reloads the page when the server has a newer build of the panel. */

const reloadedFromKey = 'reloaded-from'

/** Address of the script that this page has started, as the page refers to it. */
const currentProgram = () => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? undefined

/**
 * Whether the server's page starts another script than this page. Without an answer it counts as the same.
 */
async function isProgramReplaced(program: string): Promise<boolean> {
  try {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    return answer.ok && !(await answer.text()).includes(program)
  } catch {
    return false
  }
}

let isReloading = false

/**
 * Repeats a navigation that happens while the page reloads. The reload loads the former address and would
 * undo the user's click, so the new address replaces it.
 */
export function navigatedTo(address: string): void {
  if (isReloading) location.replace(address)
}

/**
 * Reloads the page when a file of it is missing because the server has a newer panel. The reload happens once
 * per build, so that a cache with the old page causes no endless reload.
 *
 * @returns Whether the page is being reloaded.
 */
export async function reloadIfNewer(): Promise<boolean> {
  const program = currentProgram()
  if (
    program === undefined ||
    sessionStorage.getItem(reloadedFromKey) === program ||
    !(await isProgramReplaced(program))
  )
    return false
  sessionStorage.setItem(reloadedFromKey, program)
  isReloading = true
  location.reload()
  return true
}
