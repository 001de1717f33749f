/** Window event that opens the sheet of keyboard shortcuts. */
export const shortcutsEvent = 'dala:shortcuts'
