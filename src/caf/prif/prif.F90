! prif: the module of the Parallel Runtime Interface for Fortran, revision 0.8, over Weft. What a
! compiler calls for coarrays, or a program by hand. Every procedure is one call of a C function
! (prif_c.inc), whose code becomes the compiler's own STAT_ constant; the chapters are the included
! files. Nothing here knows how images reach each other.
!
! Compiled by gfortran (12 and later) or flang (22 and later): a module file and symbol names are a
! compiler's own, so each needs its own copy.
module prif
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_size_t, c_intptr_t, c_ptrdiff_t, &
      c_bool, c_char, c_ptr, c_funptr, c_null_ptr, c_associated, c_loc, c_funloc, &
      c_f_pointer
  ! By name: with -fcoarray gfortran has other types in this module, and could not read ours.
  use, intrinsic :: iso_fortran_env, only: int64, output_unit, error_unit, STAT_FAILED_IMAGE, &
      STAT_STOPPED_IMAGE
#if defined(__flang__)
  use, intrinsic :: iso_fortran_env, only: STAT_LOCKED, STAT_LOCKED_OTHER_IMAGE, STAT_UNLOCKED, &
      STAT_UNLOCKED_FAILED_IMAGE, CURRENT_TEAM, PARENT_TEAM, INITIAL_TEAM
#endif
  implicit none
  private

  ! ---- Constants -----------------------------------------------------------------------------------

  integer(c_int), parameter, public :: PRIF_VERSION_MAJOR = 0, PRIF_VERSION_MINOR = 8

  ! Atomic variables have 64 bits; flang's own kinds are these.
  integer, parameter, public :: PRIF_ATOMIC_INT_KIND = int64, PRIF_ATOMIC_LOGICAL_KIND = 8

  ! gfortran's STAT_UNLOCKED is 0, which reads as success, and it has no levels of teams before 16.
#if defined(__flang__)
  integer(c_int), parameter, public :: PRIF_STAT_FAILED_IMAGE = STAT_FAILED_IMAGE, &
      PRIF_STAT_STOPPED_IMAGE = STAT_STOPPED_IMAGE, PRIF_STAT_LOCKED = STAT_LOCKED, &
      PRIF_STAT_LOCKED_OTHER_IMAGE = STAT_LOCKED_OTHER_IMAGE, PRIF_STAT_UNLOCKED = STAT_UNLOCKED, &
      PRIF_STAT_UNLOCKED_FAILED_IMAGE = STAT_UNLOCKED_FAILED_IMAGE, &
      PRIF_CURRENT_TEAM = CURRENT_TEAM, PRIF_PARENT_TEAM = PARENT_TEAM, &
      PRIF_INITIAL_TEAM = INITIAL_TEAM
#else
  integer(c_int), parameter, public :: PRIF_STAT_FAILED_IMAGE = STAT_FAILED_IMAGE, &
      PRIF_STAT_STOPPED_IMAGE = STAT_STOPPED_IMAGE, PRIF_STAT_LOCKED = 6003, &
      PRIF_STAT_LOCKED_OTHER_IMAGE = 6004, PRIF_STAT_UNLOCKED = 6005, &
      PRIF_STAT_UNLOCKED_FAILED_IMAGE = 6002, PRIF_INITIAL_TEAM = 0, PRIF_PARENT_TEAM = 1, &
      PRIF_CURRENT_TEAM = 2
#endif
  integer(c_int), parameter, public :: PRIF_STAT_OUT_OF_MEMORY = 6010, PRIF_STAT_ALREADY_INIT = 6011

  ! By the codes of glue.h; the last is for arguments that make no sense.
  integer(c_int), parameter :: prif_stats(0:9) = [0, PRIF_STAT_FAILED_IMAGE, PRIF_STAT_LOCKED, &
      PRIF_STAT_LOCKED_OTHER_IMAGE, PRIF_STAT_STOPPED_IMAGE, PRIF_STAT_UNLOCKED, &
      PRIF_STAT_UNLOCKED_FAILED_IMAGE, PRIF_STAT_OUT_OF_MEMORY, PRIF_STAT_ALREADY_INIT, 6012]
  integer(c_int), parameter :: code_failed = 1, code_stopped = 4, code_freed = 6, code_wrong = 9

  ! As the C functions have them.
  integer(c_int), parameter :: atomic_ref = 0, atomic_define = 1, atomic_cas = 2, atomic_add = 3, &
      atomic_and = 4, atomic_or = 5, atomic_xor = 6
  integer(c_int), parameter :: co_sum = 0, co_min = 1, co_max = 2
  integer, parameter :: rank_max = 15
  logical(c_bool), parameter :: yes = .true._c_bool, no = .false._c_bool

  ! ---- Types ---------------------------------------------------------------------------------------

  type, bind(C), public :: prif_coarray_handle
    private
    type(c_ptr) :: info
  end type

  ! PRIF wants what a pointer to a derived type takes. gfortran's would have a hidden component with
  ! -fcoarray, and programs with it could not read this module.
  type :: team_object
    integer(c_intptr_t) :: word = 0
  end type
  type, public :: prif_team_type
    private
#if defined(__GFORTRAN__)
    integer(c_intptr_t) :: info = 0
#else
    type(team_object), pointer :: info => null()
#endif
  end type

  type, public :: prif_event_type
    private
    integer(int64) :: count = 0
  end type
  type, public :: prif_notify_type
    private
    integer(int64) :: count = 0
  end type
  type, public :: prif_lock_type
    private
    integer(int64) :: word = 0
  end type
  type, public :: prif_critical_type
    private
    integer(int64) :: word = 0
  end type

  abstract interface
    subroutine prif_stop_callback_interface(is_error_stop, quiet, stop_code_int, stop_code_char)
      import :: c_bool, c_int
      logical(c_bool), intent(in) :: is_error_stop, quiet
      integer(c_int), intent(in), optional :: stop_code_int
      character(len=*), intent(in), optional :: stop_code_char
    end subroutine
    subroutine prif_operation_wrapper_interface(arg1, arg2_and_out, count, cdata) bind(C)
      import :: c_ptr, c_size_t
      type(c_ptr), intent(in), value :: arg1, arg2_and_out
      integer(c_size_t), intent(in), value :: count
      type(c_ptr), intent(in), value :: cdata
    end subroutine
    subroutine prif_coarray_cleanup_interface(handle) bind(C)
      import :: prif_coarray_handle
      type(prif_coarray_handle), value, intent(in) :: handle
    end subroutine
  end interface
  public :: prif_stop_callback_interface, prif_operation_wrapper_interface
  public :: prif_coarray_cleanup_interface

  type :: callback_entry
    procedure(prif_stop_callback_interface), pointer, nopass :: callback
  end type
  type(callback_entry), allocatable :: callbacks(:)

  ! Of the last procedure that can fail.
  integer(c_int) :: last_code = 0

  ! What a team variable without a team, or a handle that is null, leads to.
  type(team_object), target :: nobody

  include 'prif_public.inc'
  include 'prif_c.inc'

contains

  ! The outcome of a procedure; error termination if the program gave no stat.
  subroutine done(code, stat, errmsg)
    integer(c_int), value :: code
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    last_code = code
    if (code == code_freed) last_code = 0 ! no error: the lock is this image's
    if (present(stat)) stat = prif_stats(code)
    if (last_code == 0) return
    if (.not. present(stat)) call weft_prif_die()
    if (present(errmsg)) call weft_prif_text(errmsg, len(errmsg, c_size_t))
  end subroutine

  ! Its words, if it has failed. Not optional: gfortran 12 loses the new length of an optional argument
  ! that is handed on.
  subroutine tell(errmsg_alloc)
    character(len=:), allocatable, intent(inout) :: errmsg_alloc
    if (last_code /= 0) errmsg_alloc = last_text(weft_prif_text_length())
  end subroutine

  function last_text(n) result(text)
    integer(c_size_t), intent(in) :: n
    character(len=n) :: text
    call weft_prif_text(text, n)
  end function

  ! What a team variable has, and giving it a team.
  type(c_ptr) function team_info(team)
    type(prif_team_type), intent(in) :: team
#if defined(__GFORTRAN__)
    team_info = transfer(team%info, c_null_ptr)
#else
    team_info = c_null_ptr
    if (associated(team%info)) team_info = c_loc(team%info)
#endif
  end function
  subroutine set_team_info(team, info)
    type(prif_team_type), intent(inout) :: team
    type(c_ptr), intent(in) :: info
#if defined(__GFORTRAN__)
    team%info = transfer(info, team%info)
#else
    call c_f_pointer(info, team%info)
#endif
  end subroutine

  ! A team for C: null is the current one.
  function of(team) result(info)
    type(prif_team_type), intent(in), optional :: team
    type(c_ptr) :: info
    info = c_null_ptr
    if (.not. present(team)) return
    info = team_info(team)
    if (.not. c_associated(info)) info = c_loc(nobody)
  end function

  ! A coarray for C, where null says that what follows is an address.
  function by(handle) result(info)
    type(prif_coarray_handle), intent(in) :: handle
    type(c_ptr) :: info
    info = handle%info
    if (.not. c_associated(info)) info = c_loc(nobody)
  end function

  pure integer(c_int) function or_zero(x)
    integer(c_int), intent(in), optional :: x
    or_zero = 0
    if (present(x)) or_zero = x
  end function

  pure integer(c_intptr_t) function at(offset)
    integer(c_size_t), intent(in) :: offset
    at = int(offset, c_intptr_t)
  end function

  pure integer(c_int64_t) function word(x)
    logical(PRIF_ATOMIC_LOGICAL_KIND), intent(in) :: x
    word = merge(1_c_int64_t, 0_c_int64_t, x)
  end function

  include 'images.inc'
  include 'coarrays.inc'
  include 'access.inc'
  include 'sync.inc'
  include 'collective.inc'
  include 'atomics.inc'
end module
