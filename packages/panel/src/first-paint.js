// Applies the stored appearance to <html> before the first paint, so that no page flashes in another colour
// or direction. It also sets which frame the page draws until the program is loaded. This is a separate
// blocking file, because the content policy allows no inline scripts. `lib/preferences.ts` has the same keys
// and defaults; a test compares both.
{
  const palettes =
    'bluenavy blueyale blueolympic greenmoss greenlime purplemonster orangecarrot redruby yellowgranola greysteel'
  const readStorage = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const readSetting = (key, allowedValues, fallback) => {
    const value = readStorage(key)
    return allowedValues.includes(value) ? value : fallback
  }
  const root = document.documentElement
  const themes = palettes.split(' ').flatMap((palette) => [`light.${palette}`, `dark.${palette}`])
  // The server names the colours of the organisation, for people who have not chosen any.
  const ownTheme = themes.includes(root.dataset.theme) ? root.dataset.theme : 'dark.blueolympic'
  const [mode, palette] = readSetting('theme', themes, ownTheme).split('.')
  root.dataset.mode = mode
  root.dataset.palette = palette
  root.dataset.radius = readSetting('radius', ['rounded', 'flat'], 'rounded')
  root.dataset.density = readSetting('density', ['comfortable', 'compact'], 'comfortable')
  root.dir = readSetting('direction', ['ltr', 'rtl'], 'ltr')
  const language = readSetting('current-language', ['en', 'ru', 'uz', 'kaa'], 'ru')
  const isCyrillic = ['uz', 'kaa'].includes(language) && readStorage('script') === 'cyrillic'
  root.lang = isCyrillic ? `${language}-Cyrl` : language

  // Every address leads to the sign-in form without a session, except the other pages before signing in.
  const isSignedIn = Boolean(readStorage('token'))
  const isOther = /^\/(user\/(?!login).|certificate(\/|$))/.test(location.pathname)
  if (!isSignedIn) root.dataset.frame = isOther ? 'user' : 'login'

  const link = (rel, href) => {
    if (!href) return
    const element = document.createElement('link')
    element.rel = rel
    if (rel === 'modulepreload') element.crossOrigin = ''
    if (rel === 'preload') element.as = 'style'
    element.href = href
    document.head.append(element)
  }
  // The messages of the language, and the panel for a signed-in user, are requested before the program is
  // loaded.
  const { words = '{}', panel, styles, fonts } = document.currentScript?.dataset ?? {}
  const [wordsOfStart, wordsOfPanel] = JSON.parse(words)[root.lang] ?? []
  link('modulepreload', wordsOfStart)
  if (isSignedIn) {
    link('modulepreload', panel)
    link('modulepreload', wordsOfPanel)
    link('preload', styles)
  }
  // A signed-in user has the typeface from an earlier visit. For others the sign-in form loads before it on a
  // slow link.
  if (isSignedIn) link('stylesheet', fonts)
  else addEventListener('load', () => link('stylesheet', fonts))
}
