// Puts the stored look on <html> before the first paint, so that no page flashes in another colour or direction.
// A blocking file of its own, because the content policy allows no inline script. `lib/preferences.ts` owns the same
// keys and defaults; a test holds the two together.
{
  const palettes =
    'bluenavy blueyale blueolympic greenmoss greenlime purplemonster orangecarrot redruby yellowgranola greysteel'
  const read = (key, allowed, fallback) => {
    try {
      const value = localStorage.getItem(key)
      return allowed.includes(value) ? value : fallback
    } catch {
      return fallback
    }
  }
  const root = document.documentElement
  const themes = palettes.split(' ').flatMap((palette) => [`light.${palette}`, `dark.${palette}`])
  const [mode, palette] = read('theme', themes, 'dark.blueolympic').split('.')
  root.dataset.mode = mode
  root.dataset.palette = palette
  root.dataset.radius = read('radius', ['rounded', 'flat'], 'rounded')
  root.dataset.density = read('density', ['comfortable', 'compact'], 'comfortable')
  root.dir = read('direction', ['ltr', 'rtl'], 'ltr')
  root.lang = read('current-language', ['en', 'ru', 'uz', 'kaa'], 'ru')
}
