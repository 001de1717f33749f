/** Who may reach which address (requirements §2): a token in local storage is the only question asked here. */

const openPaths: readonly string[] = [
  '/user/login',
  '/user/register',
  '/user/forgot-password',
  '/user/reset-password',
  '/user/confirm-email',
]

/** Pages outside the panel: there a 400 speaks of the password. */
export function isUserScreen(pathname: string): boolean {
  return pathname === '/user' || pathname.startsWith('/user/')
}

const bare = (pathname: string) => (pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname)

/** The address the reader is sent to instead, or null to let them pass. */
export function redirectOf(pathname: string, signedIn: boolean): '/app' | '/user/login' | null {
  const path = bare(pathname)
  if (signedIn) return path === '/' ? '/app' : null
  return openPaths.includes(path) ? null : '/user/login'
}
