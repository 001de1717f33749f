/** Decides which addresses can be opened (requirements §2), only by the token in local storage. */

const openPaths: readonly string[] = [
  '/user/login',
  '/user/register',
  '/user/forgot-password',
  '/user/reset-password',
  '/user/confirm-email',
  '/certificate',
]

/** The page of a certificate's number, which everybody may check. */
const isCertificate = (path: string) => /^\/certificate\/[^/]+$/.test(path)

/** Pages outside the panel, where a 400 concerns the password. */
export function isUserScreen(pathname: string): boolean {
  return pathname === '/user' || pathname.startsWith('/user/')
}

const trimTrailingSlash = (pathname: string) => (pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname)

/** Address to redirect to, or null when the user may open the requested one. */
export function redirectOf(pathname: string, signedIn: boolean): '/app' | '/user/login' | null {
  const path = trimTrailingSlash(pathname)
  if (signedIn) return path === '/' ? '/app' : null
  return openPaths.includes(path) || isCertificate(path) ? null : '/user/login'
}
