import { expect, it } from 'vitest'
import { stylePackages } from './panel-packages.ts'

it('finds packages of imported styles, and no file of our own and no package of code', () => {
  const styles = "@import 'tailwindcss' source(none);\n@import '@fonts/sans/wght.css';\n@import './own.css';"
  const module = "import 'leaflet/dist/leaflet.css'\nimport { map } from 'leaflet-map'\nimport './map.css'"
  expect([...stylePackages(styles), ...stylePackages(module)]).toEqual(['tailwindcss', '@fonts/sans', 'leaflet'])
})
