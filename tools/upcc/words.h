/*
 * The words of UPC and GNU C: keywords with all their spellings, and punctuation, longest first.
 */
#ifndef UPCC_WORDS_H
#define UPCC_WORDS_H

/* KEYWORD(word, spellings separated by blanks) */
#define UPCC_KEYWORDS(KEYWORD)                                                                     \
  KEYWORD(AUTO, "auto")                                                                            \
  KEYWORD(BREAK, "break")                                                                          \
  KEYWORD(CASE, "case")                                                                            \
  KEYWORD(CHAR, "char")                                                                            \
  KEYWORD(CONST, "const __const __const__")                                                        \
  KEYWORD(CONTINUE, "continue")                                                                    \
  KEYWORD(DEFAULT, "default")                                                                      \
  KEYWORD(DO, "do")                                                                                \
  KEYWORD(DOUBLE, "double")                                                                        \
  KEYWORD(ELSE, "else")                                                                            \
  KEYWORD(ENUM, "enum")                                                                            \
  KEYWORD(EXTERN, "extern")                                                                        \
  KEYWORD(FLOAT, "float")                                                                          \
  KEYWORD(FOR, "for")                                                                              \
  KEYWORD(GOTO, "goto")                                                                            \
  KEYWORD(IF, "if")                                                                                \
  KEYWORD(INLINE, "inline __inline __inline__")                                                    \
  KEYWORD(INT, "int")                                                                              \
  KEYWORD(LONG, "long")                                                                            \
  KEYWORD(REGISTER, "register")                                                                    \
  KEYWORD(RESTRICT, "restrict __restrict __restrict__")                                            \
  KEYWORD(RETURN, "return")                                                                        \
  KEYWORD(SHORT, "short")                                                                          \
  KEYWORD(SIGNED, "signed __signed __signed__")                                                    \
  KEYWORD(SIZEOF, "sizeof")                                                                        \
  KEYWORD(STATIC, "static")                                                                        \
  KEYWORD(STRUCT, "struct")                                                                        \
  KEYWORD(SWITCH, "switch")                                                                        \
  KEYWORD(TYPEDEF, "typedef")                                                                      \
  KEYWORD(UNION, "union")                                                                          \
  KEYWORD(UNSIGNED, "unsigned")                                                                    \
  KEYWORD(VOID, "void")                                                                            \
  KEYWORD(VOLATILE, "volatile __volatile __volatile__")                                            \
  KEYWORD(WHILE, "while")                                                                          \
  KEYWORD(ALIGNAS, "_Alignas")                                                                     \
  KEYWORD(ALIGNOF, "_Alignof __alignof __alignof__")                                               \
  KEYWORD(ATOMIC, "_Atomic")                                                                       \
  KEYWORD(BOOL, "_Bool")                                                                           \
  KEYWORD(COMPLEX, "_Complex __complex __complex__")                                               \
  KEYWORD(GENERIC, "_Generic")                                                                     \
  KEYWORD(NORETURN, "_Noreturn")                                                                   \
  KEYWORD(STATIC_ASSERT, "_Static_assert")                                                         \
  KEYWORD(THREAD_LOCAL, "_Thread_local __thread")                                                  \
  KEYWORD(ASM, "asm __asm __asm__")                                                                \
  KEYWORD(ATTRIBUTE, "__attribute __attribute__")                                                  \
  KEYWORD(TYPEOF, "typeof __typeof __typeof__")                                                    \
  KEYWORD(EXTENSION, "__extension__")                                                              \
  KEYWORD(AUTO_TYPE, "__auto_type")                                                                \
  KEYWORD(LABEL, "__label__")                                                                      \
  KEYWORD(INT128, "__int128")                                                                      \
  KEYWORD(OPAQUE_TYPE, "_Float16 _Float32 _Float64 _Float128 _Float32x _Float64x "                 \
                       "_Float128x __float128 __float80 __bf16 __fp16 __ibm128 "                   \
                       "_Decimal32 _Decimal64 _Decimal128")                                        \
  KEYWORD(NULLABILITY, "_Nonnull _Nullable _Null_unspecified")                                     \
  KEYWORD(VA_ARG, "__builtin_va_arg")                                                              \
  KEYWORD(ASSERT_TYPE, "bupc_assert_type")                                                         \
  KEYWORD(OFFSETOF, "__builtin_offsetof")                                                          \
  KEYWORD(TYPES_COMPATIBLE, "__builtin_types_compatible_p")                                        \
  KEYWORD(CHOOSE, "__builtin_choose_expr")                                                         \
  KEYWORD(CONVERTVECTOR, "__builtin_convertvector")                                                \
  KEYWORD(REAL, "__real __real__")                                                                 \
  KEYWORD(IMAG, "__imag __imag__")                                                                 \
  KEYWORD(MYTHREAD, "MYTHREAD")                                                                    \
  KEYWORD(THREADS, "THREADS")                                                                      \
  KEYWORD(MAX_BLOCK, "UPC_MAX_BLOCK_SIZE")                                                         \
  KEYWORD(RELAXED, "relaxed")                                                                      \
  KEYWORD(SHARED, "shared")                                                                        \
  KEYWORD(STRICT, "strict")                                                                        \
  KEYWORD(BARRIER, "upc_barrier")                                                                  \
  KEYWORD(NOTIFY, "upc_notify")                                                                    \
  KEYWORD(WAIT, "upc_wait")                                                                        \
  KEYWORD(FENCE, "upc_fence")                                                                      \
  KEYWORD(FORALL, "upc_forall")                                                                    \
  KEYWORD(LOCALSIZEOF, "upc_localsizeof")                                                          \
  KEYWORD(BLOCKSIZEOF, "upc_blocksizeof")                                                          \
  KEYWORD(ELEMSIZEOF, "upc_elemsizeof")

/* MARK(word, spelling) */
#define UPCC_MARKS(MARK)                                                                           \
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
  MARK(OPEN_BRACKET, "<:")                                                                         \
  MARK(CLOSE_BRACKET, ":>")                                                                        \
  MARK(OPEN_BRACE, "<%")                                                                           \
  MARK(CLOSE_BRACE, "%>")                                                                          \
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
  MARK(COMMA, ",")                                                                                 \
  MARK(HASH, "#")

enum word {
  W_NONE,
#define KEYWORD(word, spellings) W_##word,
  UPCC_KEYWORDS(KEYWORD)
#undef KEYWORD
      W_ELLIPSIS,
  W_SHL_ASSIGN,
  W_SHR_ASSIGN,
  W_ARROW,
  W_INC,
  W_DEC,
  W_SHL,
  W_SHR,
  W_LE,
  W_GE,
  W_EQ,
  W_NE,
  W_AND_AND,
  W_OR_OR,
  W_MUL_ASSIGN,
  W_DIV_ASSIGN,
  W_MOD_ASSIGN,
  W_ADD_ASSIGN,
  W_SUB_ASSIGN,
  W_AND_ASSIGN,
  W_XOR_ASSIGN,
  W_OR_ASSIGN,
  W_OPEN_BRACKET,
  W_CLOSE_BRACKET,
  W_OPEN_BRACE,
  W_CLOSE_BRACE,
  W_OPEN,
  W_CLOSE,
  W_DOT,
  W_AND,
  W_STAR,
  W_PLUS,
  W_MINUS,
  W_TILDE,
  W_NOT,
  W_SLASH,
  W_PERCENT,
  W_LT,
  W_GT,
  W_XOR,
  W_OR,
  W_QUESTION,
  W_COLON,
  W_SEMICOLON,
  W_ASSIGN,
  W_COMMA,
  W_HASH,
};

#endif
