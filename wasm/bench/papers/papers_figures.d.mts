/** What each figure says, for the test that holds the page's texts to it. */
export const FIGURES: {
  where: string
  title: string
  theirs?: { titles: string[]; rows: string[][] }
  said?: string
  why: string
  same?: string
}[]
