/*
 * What upcc includes before everything else: whether this is C23, in which more words are keywords.
 */
#if __STDC_VERSION__ > 201710L
#pragma upc c23
#endif
