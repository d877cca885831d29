/** The buffers of all examples, by path: a part that is fetched later. */
export const texts = import.meta.glob<string>('../../../../examples/*.csv', {
  query: '?raw',
  import: 'default',
  eager: true,
})
