/** What to do when the server has another build of the panel than the page that is open. */

const marked = 'reloaded-from'

/** The program of this page, as the page names it. */
const ownProgram = () => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? undefined

/** Whether the page of the server starts another program. Without an answer it counts as the same. */
async function isReplaced(program: string): Promise<boolean> {
  try {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    return answer.ok && !(await answer.text()).includes(program)
  } catch {
    return false
  }
}

/**
 * Loads the page anew when a file of it did not come because the server has a newer panel by now. It does so once for a
 * build: a cache on the way that still has the old page must not make it go round.
 *
 * @returns Whether the page is being loaded anew.
 */
export async function reloadIfNewer(): Promise<boolean> {
  const program = ownProgram()
  if (program === undefined || sessionStorage.getItem(marked) === program || !(await isReplaced(program))) return false
  sessionStorage.setItem(marked, program)
  location.reload()
  return true
}
