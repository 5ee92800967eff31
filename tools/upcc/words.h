/*
 * The words of UPC and GNU C: keywords with all their spellings, and punctuation, longest first.
 */
#ifndef UPCC_WORDS_H
#define UPCC_WORDS_H

/* KEYWORD(word, spellings separated by blanks); TYPE: a declaration may begin with it. */
#define UPCC_KEYWORDS(KEYWORD, TYPE)                                                               \
  TYPE(AUTO, "auto")                                                                               \
  KEYWORD(BREAK, "break")                                                                          \
  KEYWORD(CASE, "case")                                                                            \
  TYPE(CHAR, "char")                                                                               \
  TYPE(CONST, "const __const __const__")                                                           \
  KEYWORD(CONTINUE, "continue")                                                                    \
  KEYWORD(DEFAULT, "default")                                                                      \
  KEYWORD(DO, "do")                                                                                \
  TYPE(DOUBLE, "double")                                                                           \
  KEYWORD(ELSE, "else")                                                                            \
  TYPE(ENUM, "enum")                                                                               \
  TYPE(EXTERN, "extern")                                                                           \
  TYPE(FLOAT, "float")                                                                             \
  KEYWORD(FOR, "for")                                                                              \
  KEYWORD(GOTO, "goto")                                                                            \
  KEYWORD(IF, "if")                                                                                \
  TYPE(INLINE, "inline __inline __inline__")                                                       \
  TYPE(INT, "int")                                                                                 \
  TYPE(LONG, "long")                                                                               \
  TYPE(REGISTER, "register")                                                                       \
  TYPE(RESTRICT, "restrict __restrict __restrict__")                                               \
  KEYWORD(RETURN, "return")                                                                        \
  TYPE(SHORT, "short")                                                                             \
  TYPE(SIGNED, "signed __signed __signed__")                                                       \
  KEYWORD(SIZEOF, "sizeof")                                                                        \
  TYPE(STATIC, "static")                                                                           \
  TYPE(STRUCT, "struct")                                                                           \
  KEYWORD(SWITCH, "switch")                                                                        \
  TYPE(TYPEDEF, "typedef")                                                                         \
  TYPE(UNION, "union")                                                                             \
  TYPE(UNSIGNED, "unsigned")                                                                       \
  TYPE(VOID, "void")                                                                               \
  TYPE(VOLATILE, "volatile __volatile __volatile__")                                               \
  KEYWORD(WHILE, "while")                                                                          \
  TYPE(ALIGNAS, "_Alignas alignas")                                                                \
  KEYWORD(ALIGNOF, "_Alignof __alignof __alignof__ alignof")                                       \
  TYPE(ATOMIC, "_Atomic")                                                                          \
  TYPE(BIT_INT, "_BitInt")                                                                         \
  TYPE(BOOL, "_Bool")                                                                              \
  TYPE(COMPLEX, "_Complex __complex __complex__")                                                  \
  TYPE(CONSTEXPR, "constexpr")                                                                     \
  KEYWORD(GENERIC, "_Generic")                                                                     \
  TYPE(NORETURN, "_Noreturn")                                                                      \
  KEYWORD(STATIC_ASSERT, "_Static_assert static_assert")                                           \
  TYPE(THREAD_LOCAL, "_Thread_local __thread thread_local")                                        \
  KEYWORD(ASM, "asm __asm __asm__")                                                                \
  KEYWORD(ATTRIBUTE, "__attribute __attribute__")                                                  \
  TYPE(TYPEOF, "typeof __typeof __typeof__")                                                       \
  TYPE(TYPEOF_UNQUAL, "typeof_unqual __typeof_unqual __typeof_unqual__")                           \
  KEYWORD(EXTENSION, "__extension__")                                                              \
  TYPE(AUTO_TYPE, "__auto_type")                                                                   \
  KEYWORD(LABEL, "__label__")                                                                      \
  TYPE(INT128, "__int128")                                                                         \
  TYPE(OPAQUE_TYPE, "_Float16 _Float32 _Float64 _Float128 _Float32x _Float64x "                    \
                    "_Float128x __float128 __float80 __bf16 __fp16 __ibm128 "                      \
                    "_Decimal32 _Decimal64 _Decimal128")                                           \
  KEYWORD(NULLABILITY, "_Nonnull _Nullable _Null_unspecified")                                     \
  KEYWORD(VA_ARG, "__builtin_va_arg")                                                              \
  KEYWORD(ASSERT_TYPE, "bupc_assert_type")                                                         \
  KEYWORD(OFFSETOF, "__builtin_offsetof")                                                          \
  KEYWORD(TYPES_COMPATIBLE, "__builtin_types_compatible_p")                                        \
  KEYWORD(CHOOSE, "__builtin_choose_expr")                                                         \
  KEYWORD(CONVERTVECTOR, "__builtin_convertvector")                                                \
  KEYWORD(REAL, "__real __real__")                                                                 \
  KEYWORD(IMAG, "__imag __imag__")                                                                 \
  /* From here on all are UPC's. */                                                                \
  KEYWORD(MYTHREAD, "MYTHREAD")                                                                    \
  KEYWORD(THREADS, "THREADS")                                                                      \
  KEYWORD(MAX_BLOCK, "UPC_MAX_BLOCK_SIZE")                                                         \
  TYPE(RELAXED, "relaxed")                                                                         \
  TYPE(SHARED, "shared")                                                                           \
  TYPE(STRICT, "strict")                                                                           \
  KEYWORD(BARRIER, "upc_barrier")                                                                  \
  KEYWORD(NOTIFY, "upc_notify")                                                                    \
  KEYWORD(WAIT, "upc_wait")                                                                        \
  KEYWORD(FENCE, "upc_fence")                                                                      \
  KEYWORD(FORALL, "upc_forall")                                                                    \
  KEYWORD(LOCALSIZEOF, "upc_localsizeof")                                                          \
  KEYWORD(BLOCKSIZEOF, "upc_blocksizeof")                                                          \
  KEYWORD(ELEMSIZEOF, "upc_elemsizeof")

/* MARK(word, spelling), ALSO(word, another spelling) */
#define UPCC_MARKS(MARK, ALSO)                                                                     \
  MARK(ELLIPSIS, "...")                                                                            \
  MARK(SHL_ASSIGN, "<<=")                                                                          \
  MARK(SHR_ASSIGN, ">>=")                                                                          \
  MARK(ARROW, "->")                                                                                \
  MARK(INC, "++")                                                                                  \
  MARK(DEC, "--")                                                                                  \
  MARK(SHL, "<<")                                                                                  \
  MARK(SHR, ">>")                                                                                  \
  MARK(LE, "<=")                                                                                   \
  MARK(GE, ">=")                                                                                   \
  MARK(EQ, "==")                                                                                   \
  MARK(NE, "!=")                                                                                   \
  MARK(AND_AND, "&&")                                                                              \
  MARK(OR_OR, "||")                                                                                \
  MARK(MUL_ASSIGN, "*=")                                                                           \
  MARK(DIV_ASSIGN, "/=")                                                                           \
  MARK(MOD_ASSIGN, "%=")                                                                           \
  MARK(ADD_ASSIGN, "+=")                                                                           \
  MARK(SUB_ASSIGN, "-=")                                                                           \
  MARK(AND_ASSIGN, "&=")                                                                           \
  MARK(XOR_ASSIGN, "^=")                                                                           \
  MARK(OR_ASSIGN, "|=")                                                                            \
  ALSO(OPEN_BRACKET, "<:")                                                                         \
  ALSO(CLOSE_BRACKET, ":>")                                                                        \
  ALSO(OPEN_BRACE, "<%")                                                                           \
  ALSO(CLOSE_BRACE, "%>")                                                                          \
  MARK(OPEN_BRACKET, "[")                                                                          \
  MARK(CLOSE_BRACKET, "]")                                                                         \
  MARK(OPEN, "(")                                                                                  \
  MARK(CLOSE, ")")                                                                                 \
  MARK(OPEN_BRACE, "{")                                                                            \
  MARK(CLOSE_BRACE, "}")                                                                           \
  MARK(DOT, ".")                                                                                   \
  MARK(AND, "&")                                                                                   \
  MARK(STAR, "*")                                                                                  \
  MARK(PLUS, "+")                                                                                  \
  MARK(MINUS, "-")                                                                                 \
  MARK(TILDE, "~")                                                                                 \
  MARK(NOT, "!")                                                                                   \
  MARK(SLASH, "/")                                                                                 \
  MARK(PERCENT, "%")                                                                               \
  MARK(LT, "<")                                                                                    \
  MARK(GT, ">")                                                                                    \
  MARK(XOR, "^")                                                                                   \
  MARK(OR, "|")                                                                                    \
  MARK(QUESTION, "?")                                                                              \
  MARK(COLON, ":")                                                                                 \
  MARK(SEMICOLON, ";")                                                                             \
  MARK(ASSIGN, "=")                                                                                \
  MARK(COMMA, ",")

enum word {
  W_NONE,
#define WORD(word, spellings) W_##word,
#define NO_WORD(word, spelling)
  UPCC_KEYWORDS(WORD, WORD) UPCC_MARKS(WORD, NO_WORD)
#undef WORD
#undef NO_WORD
};

#endif
