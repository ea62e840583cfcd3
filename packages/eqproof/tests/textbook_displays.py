r"""Sixty displays as textbooks print them, each with a false twin: (name, true, false).

They are ours, in the notation of common courses on mechanics, control, statistics and electrodynamics. The true ones hold as
printed, or as laws and definitions of which the letters say nothing; each twin has one slip, in a sign, a factor or an index.
"""

MECHANICS = [
    (
        "double pendulum, speed",
        r"""\begin{align*}
v_2^2 &= (l_1\dot\theta_1\cos\theta_1 + l_2\dot\theta_2\cos\theta_2)^2 + (l_1\dot\theta_1\sin\theta_1 + l_2\dot\theta_2\sin\theta_2)^2 \\
      &= l_1^2\dot\theta_1^2 + l_2^2\dot\theta_2^2 + 2 l_1 l_2 \dot\theta_1\dot\theta_2\cos(\theta_1-\theta_2)
\end{align*}""",
        r"""\begin{align*}
v_2^2 &= (l_1\dot\theta_1\cos\theta_1 + l_2\dot\theta_2\cos\theta_2)^2 + (l_1\dot\theta_1\sin\theta_1 + l_2\dot\theta_2\sin\theta_2)^2 \\
      &= l_1^2\dot\theta_1^2 + l_2^2\dot\theta_2^2 + 2 l_1 l_2 \dot\theta_1\dot\theta_2\cos(\theta_1+\theta_2)
\end{align*}""",
    ),
    (
        "double pendulum, energy over two lines",
        r"""\begin{align}
T &= \tfrac12 m_1 l_1^2\dot\theta_1^2 + \tfrac12 m_2\left[l_1^2\dot\theta_1^2 + l_2^2\dot\theta_2^2 \right. \\
  &\quad + \left. 2 l_1 l_2\dot\theta_1\dot\theta_2\cos(\theta_1-\theta_2)\right] \\
  &= \tfrac12 (m_1+m_2) l_1^2\dot\theta_1^2 + \tfrac12 m_2 l_2^2\dot\theta_2^2 \\
  &\quad + m_2 l_1 l_2 \dot\theta_1\dot\theta_2\cos(\theta_1-\theta_2)
\end{align}""",
        r"""\begin{align}
T &= \tfrac12 m_1 l_1^2\dot\theta_1^2 + \tfrac12 m_2\left[l_1^2\dot\theta_1^2 + l_2^2\dot\theta_2^2 \right. \\
  &\quad + \left. 2 l_1 l_2\dot\theta_1\dot\theta_2\cos(\theta_1-\theta_2)\right] \\
  &= \tfrac12 (m_1+m_2) l_1^2\dot\theta_1^2 + \tfrac12 m_2 l_2^2\dot\theta_2^2 \\
  &\quad + 2 m_2 l_1 l_2 \dot\theta_1\dot\theta_2\cos(\theta_1-\theta_2)
\end{align}""",
    ),
    (
        "Rodrigues",
        r"\mathbf{R} = \mathbf{I} + \sin\theta\,\mathbf{K} + (1-\cos\theta)\mathbf{K}^2",
        r"\mathbf{R} = \mathbf{I} + \sin\theta\,\mathbf{K} + (1+\cos\theta)\mathbf{K}^2",
    ),
    (
        "square of a cross matrix",
        r"""\begin{pmatrix} 0 & -k_3 & k_2 \\ k_3 & 0 & -k_1 \\ -k_2 & k_1 & 0 \end{pmatrix}^2
= \begin{pmatrix} -k_2^2-k_3^2 & k_1k_2 & k_1k_3 \\ k_1k_2 & -k_1^2-k_3^2 & k_2k_3 \\ k_1k_3 & k_2k_3 & -k_1^2-k_2^2 \end{pmatrix}""",
        r"""\begin{pmatrix} 0 & -k_3 & k_2 \\ k_3 & 0 & -k_1 \\ -k_2 & k_1 & 0 \end{pmatrix}^2
= \begin{pmatrix} -k_2^2-k_3^2 & k_1k_2 & k_1k_3 \\ k_1k_2 & -k_1^2-k_3^2 & k_2k_3 \\ k_1k_3 & k_2k_3 & -k_1^2+k_2^2 \end{pmatrix}""",
    ),
    (
        "two rotations",
        r"""\begin{bmatrix} \cos\alpha & -\sin\alpha \\ \sin\alpha & \cos\alpha \end{bmatrix}
\begin{bmatrix} \cos\beta & -\sin\beta \\ \sin\beta & \cos\beta \end{bmatrix}
= \begin{bmatrix} \cos(\alpha+\beta) & -\sin(\alpha+\beta) \\ \sin(\alpha+\beta) & \cos(\alpha+\beta) \end{bmatrix}""",
        r"""\begin{bmatrix} \cos\alpha & -\sin\alpha \\ \sin\alpha & \cos\alpha \end{bmatrix}
\begin{bmatrix} \cos\beta & -\sin\beta \\ \sin\beta & \cos\beta \end{bmatrix}
= \begin{bmatrix} \cos(\alpha+\beta) & -\sin(\alpha-\beta) \\ \sin(\alpha+\beta) & \cos(\alpha+\beta) \end{bmatrix}""",
    ),
    (
        "inertia of a rod",
        r"I = \int_{-L/2}^{L/2} \frac{M}{L} x^2\,dx = \frac{M}{L}\left[\frac{x^3}{3}\right]_{-L/2}^{L/2} = \frac{1}{12} M L^2",
        r"I = \int_{-L/2}^{L/2} \frac{M}{L} x^2\,dx = \frac{M}{L}\left[\frac{x^3}{3}\right]_{-L/2}^{L/2} = \frac{1}{6} M L^2",
    ),
    (
        "equilibrium",
        r"\left.\frac{\partial}{\partial x}\left(\frac{k x^2}{2} - m g x\right)\right|_{x=x_0} = k x_0 - m g",
        r"\left.\frac{\partial}{\partial x}\left(\frac{k x^2}{2} - m g x\right)\right|_{x=x_0} = k x_0 + m g",
    ),
    (
        "Lagrange",
        r"\frac{d}{dt}\left(\frac{\partial L}{\partial\dot q_i}\right) - \frac{\partial L}{\partial q_i} = 0",
        r"\frac{d}{dt}\left(\frac{\partial L}{\partial\dot q_i}\right) + \frac{\partial L}{\partial q_i} = 0",
    ),
    (
        "range of a throw",
        r"R = \frac{2 v_0^2 \sin\alpha\cos\alpha}{g} = \frac{v_0^2\sin 2\alpha}{g} \tag{1.7}",
        r"R = \frac{2 v_0^2 \sin\alpha\cos\alpha}{g} = \frac{v_0^2\sin 2\alpha}{2g} \tag{1.7}",
    ),
    (
        "reduced mass",
        r"\frac{1}{\mu} = \frac1{m_1} + \frac1{m_2} = \frac{m_1+m_2}{m_1 m_2}",
        r"\frac{1}{\mu} = \frac1{m_1} + \frac1{m_2} = \frac{m_1 m_2}{m_1+m_2}",
    ),
    (
        "a rolling wheel",
        r"T = \underbrace{\tfrac12 m v^2}_{\text{translation}} + \underbrace{\tfrac12 I \frac{v^2}{R^2}}_{\text{rotation}} = \frac12\left(m + \frac{I}{R^2}\right) v^2",
        r"T = \underbrace{\tfrac12 m v^2}_{\text{translation}} + \underbrace{\tfrac12 I \frac{v^2}{R^2}}_{\text{rotation}} = \frac12\left(m + \frac{I}{R}\right) v^2",
    ),
    (
        "polar coordinates",
        r"\ddot{\mathbf r} = (\ddot r - r\dot\theta^2)\,\hat{\mathbf r} + (r\ddot\theta + 2\dot r\dot\theta)\,\hat{\boldsymbol\theta}",
        r"\ddot{\mathbf r} = (\ddot r - r\dot\theta^2)\,\hat{\mathbf r} + (r\ddot\theta + \dot r\dot\theta)\,\hat{\boldsymbol\theta}",
    ),
    (
        "Koenig",
        r"\tfrac12 m_1 v_1^2 + \tfrac12 m_2 v_2^2 = \frac{(m_1v_1+m_2v_2)^2}{2(m_1+m_2)} + \frac{m_1m_2}{2(m_1+m_2)}(v_1-v_2)^2",
        r"\tfrac12 m_1 v_1^2 + \tfrac12 m_2 v_2^2 = \frac{(m_1v_1+m_2v_2)^2}{2(m_1+m_2)} + \frac{m_1m_2}{m_1+m_2}(v_1-v_2)^2",
    ),
    (
        "small oscillations",
        r"\dot E = m\dot x\ddot x + k x\dot x = \dot x\left(m\ddot x + k x\right) = 0",
        r"\dot E = m\dot x\ddot x + k x\dot x = \dot x\left(m\ddot x - k x\right) = 0",
    ),
    (
        "central force",
        r"\dot V = x\dot x + y\dot y = x y - y x - c y^2 = -c y^2",
        r"\dot V = x\dot x + y\dot y = x y - y x - c y^2 = c y^2",
    ),
]
CONTROL = [
    (
        "closed loop",
        r"T(s) = \frac{C(s)P(s)}{1 + C(s)P(s)} = \frac{1}{1 + \dfrac{1}{C(s)P(s)}}",
        r"T(s) = \frac{C(s)P(s)}{1 + C(s)P(s)} = \frac{1}{1 - \dfrac{1}{C(s)P(s)}}",
    ),
    (
        "second order",
        r"G(s) = \frac{\omega_n^2}{s^2 + 2\zeta\omega_n s + \omega_n^2} = \frac{1}{\left(\frac{s}{\omega_n}\right)^2 + 2\zeta\frac{s}{\omega_n} + 1}",
        r"G(s) = \frac{\omega_n^2}{s^2 + 2\zeta\omega_n s + \omega_n^2} = \frac{1}{\left(\frac{s}{\omega_n}\right)^2 + \zeta\frac{s}{\omega_n} + 1}",
    ),
    (
        "partial fractions",
        r"\frac{1}{s(s+a)} = \frac1a\left(\frac1s - \frac1{s+a}\right)",
        r"\frac{1}{s(s+a)} = \frac1a\left(\frac1s + \frac1{s+a}\right)",
    ),
    (
        "Kalman gain",
        r"K_k = P_{k|k-1} H_k^{\mathsf T}\left(H_k P_{k|k-1} H_k^{\mathsf T} + R_k\right)^{-1}",
        r"K_k = P_{k|k-1} H_k^{\mathsf T}\left(H_k P_{k|k-1} H_k^{\mathsf T} - R_k\right)^{-1}",
    ),
    (
        "Kalman, scalar",
        r"p_{k|k} = p_{k|k-1} - \frac{p_{k|k-1}^2}{p_{k|k-1} + r} = \frac{p_{k|k-1}\, r}{p_{k|k-1} + r}",
        r"p_{k|k} = p_{k|k-1} - \frac{p_{k|k-1}^2}{p_{k|k-1} + r} = \frac{p_{k|k-1}}{p_{k|k-1} + r}",
    ),
    (
        "Joseph",
        r"(I-KH)P(I-KH)^\top + KRK^\top = P - KHP - PH^\top K^\top + K(HPH^\top + R)K^\top",
        r"(I-KH)P(I-KH)^\top + KRK^\top = P - KHP - PH^\top K^\top + K(HPH^\top - R)K^\top",
    ),
    (
        "characteristic polynomial",
        r"\begin{vmatrix} s & -1 \\ k & s + c \end{vmatrix} = s^2 + c s + k",
        r"\begin{vmatrix} s & -1 \\ k & s + c \end{vmatrix} = s^2 + c s - k",
    ),
    (
        "poles",
        r"s_{1,2} = \frac{-2\zeta\omega_n \pm \sqrt{4\zeta^2\omega_n^2 - 4\omega_n^2}}{2} = -\zeta\omega_n \pm \sqrt{\zeta^2\omega_n^2-\omega_n^2}",
        r"s_{1,2} = \frac{-2\zeta\omega_n \pm \sqrt{4\zeta^2\omega_n^2 - 4\omega_n^2}}{2} = -\zeta\omega_n \pm \sqrt{\zeta^2\omega_n^2+\omega_n^2}",
    ),
    (
        "magnitude",
        r"|G(j\omega)| = \left|\frac{1}{1 + j\omega\tau}\right| = \frac{1}{\sqrt{1+\omega^2\tau^2}}",
        r"|G(j\omega)| = \left|\frac{1}{1 + j\omega\tau}\right| = \frac{1}{\sqrt{1-\omega^2\tau^2}}",
    ),
    (
        "PID",
        r"C(s) = K_p + \frac{K_i}{s} + K_d s = \frac{K_d s^2 + K_p s + K_i}{s}",
        r"C(s) = K_p + \frac{K_i}{s} + K_d s = \frac{K_d s^2 + K_p s + K_i}{s^2}",
    ),
    (
        "final value",
        r"\lim_{s\to0} s\cdot\frac{1}{s}\cdot\frac{K}{\tau s+1} = K",
        r"\lim_{s\to0} s\cdot\frac{1}{s}\cdot\frac{K}{\tau s+1} = 2K",
    ),
    (
        "Tustin",
        r"\left.\frac{1}{1+\tau s}\right|_{s=\frac{2}{T}\frac{z-1}{z+1}} = \frac{T(z+1)}{(T+2\tau)z + T - 2\tau}",
        r"\left.\frac{1}{1+\tau s}\right|_{s=\frac{2}{T}\frac{z-1}{z+1}} = \frac{T(z+1)}{(T+2\tau)z + T + 2\tau}",
    ),
    (
        "inverse of a double integrator",
        r"\begin{bmatrix} s & -1 \\ 0 & s \end{bmatrix}^{-1} = \begin{bmatrix} 1/s & 1/s^2 \\ 0 & 1/s \end{bmatrix}",
        r"\begin{bmatrix} s & -1 \\ 0 & s \end{bmatrix}^{-1} = \begin{bmatrix} 1/s & -1/s^2 \\ 0 & 1/s \end{bmatrix}",
    ),
    (
        "Euler's formula in a response",
        r"y = e^{-\sigma t}\left(\frac{e^{j\omega t} + e^{-j\omega t}}{2}\right) = e^{-\sigma t}\cos\omega t",
        r"y = e^{-\sigma t}\left(\frac{e^{j\omega t} - e^{-j\omega t}}{2}\right) = e^{-\sigma t}\cos\omega t",
    ),
    (
        "Lyapunov",
        r"\dot V = 2x\dot x = -2x^2",
        r"\dot V = 2x\dot x = 2x^2",
    ),
]
STATISTICS = [
    (
        "sum of squares",
        r"\sum_{i=1}^n (x_i-\bar x)^2 = \sum_{i=1}^n x_i^2 - n\bar x^2",
        r"\sum_{i=1}^n (x_i-\bar x)^2 = \sum_{i=1}^n x_i^2 + n\bar x^2",
    ),
    (
        "variance",
        r"\operatorname{Var}(X) = \mathbb{E}\left[(X-\mu)^2\right] = \mathbb{E}[X^2] - \mu^2",
        r"\operatorname{Var}(X) = \mathbb{E}\left[(X-\mu)^2\right] = \mathbb{E}[X^2] + \mu^2",
    ),
    (
        "variance, E as a letter",
        r"E[(X-\mu)^2] = E[X^2] - \mu^2",
        r"E[(X-\mu)^2] = E[X^2] + \mu^2",
    ),
    (
        "Bayes",
        r"P(A\mid B) = \frac{P(B\mid A)\,P(A)}{P(B)}",
        r"P(A\mid B) = \frac{P(B\mid A)\,P(B)}{P(A)}",
    ),
    (
        "normal density",
        r"f(x) = \frac{1}{\sqrt{2\pi\sigma^2}}\,e^{-\frac{(x-\mu)^2}{2\sigma^2}} = \frac{1}{\sigma\sqrt{2\pi}}\exp\left(-\frac{(x-\mu)^2}{2\sigma^2}\right)",
        r"f(x) = \frac{1}{\sqrt{2\pi\sigma^2}}\,e^{-\frac{(x-\mu)^2}{2\sigma^2}} = \frac{1}{\sigma\sqrt{2\pi}}\exp\left(-\frac{(x-\mu)^2}{\sigma^2}\right)",
    ),
    (
        "Pascal",
        r"\binom{n}{2} + \binom{n}{1} = \frac{n(n-1)}{2} + n = \binom{n+1}{2}",
        r"\binom{n}{2} + \binom{n}{1} = \frac{n(n-1)}{2} + n = \binom{n+2}{2}",
    ),
    (
        "binomial by factorials",
        r"\binom nk = \frac{n!}{k!\,(n-k)!}",
        r"\binom nk = \frac{n!}{k!\,(n+k)!}",
    ),
    (
        "least squares",
        r"\hat{\boldsymbol\beta} = (\mathbf X^\top\mathbf X)^{-1}\mathbf X^\top\mathbf y",
        r"\hat{\boldsymbol\beta} = (\mathbf X\mathbf X^\top)^{-1}\mathbf X^\top\mathbf y",
    ),
    (
        "transpose of a product",
        r"(AB)^\top = B^\top A^\top",
        r"(AB)^\top = A^\top B^\top",
    ),
    (
        "Poisson",
        r"\sum_{k=0}^\infty \frac{\lambda^k}{k!} e^{-\lambda} = e^{\lambda} e^{-\lambda} = 1",
        r"\sum_{k=0}^\infty \frac{\lambda^k}{k!} e^{-\lambda} = e^{\lambda} e^{-2\lambda} = 1",
    ),
    (
        "two Gaussians",
        r"\frac{(x-a)^2}{p} + \frac{(x-b)^2}{q} = \frac{p+q}{pq}\left(x - \frac{aq + bp}{p+q}\right)^2 + \frac{(a-b)^2}{p+q}",
        r"\frac{(x-a)^2}{p} + \frac{(x-b)^2}{q} = \frac{p+q}{pq}\left(x - \frac{ap + bq}{p+q}\right)^2 + \frac{(a-b)^2}{p+q}",
    ),
    (
        "logistic",
        r"\sigma(x) = \frac{1}{1+e^{-x}} = \frac{e^x}{1+e^x} = 1 - \frac{1}{1+e^x}",
        r"\sigma(x) = \frac{1}{1+e^{-x}} = \frac{e^x}{1+e^x} = 1 - \frac{1}{1+e^{-x}}",
    ),
    (
        "log odds",
        r"\log\frac{p}{1-p} = \log p - \log(1-p)",
        r"\log\frac{p}{1-p} = \log p + \log(1-p)",
    ),
    (
        "likelihood",
        r"L(p) = \prod_{i=1}^3 p^{x_i}(1-p)^{1-x_i} = p^{x_1+x_2+x_3}(1-p)^{3-x_1-x_2-x_3}",
        r"L(p) = \prod_{i=1}^3 p^{x_i}(1-p)^{1-x_i} = p^{x_1+x_2+x_3}(1-p)^{x_1+x_2+x_3}",
    ),
    (
        "Chebyshev",
        r"\Pr\left(|X-\mu| \geq k\sigma\right) \leq \frac{1}{k^2}",
        r"\Pr\left(|X-\mu| \geq k\sigma\right) \geq \frac{1}{k^2}",
    ),
]
ELECTRODYNAMICS = [
    (
        "Maxwell",
        r"""\begin{align}
\nabla\cdot\mathbf E &= \frac{\rho}{\varepsilon_0}, & \nabla\cdot\mathbf B &= 0, \\
\nabla\times\mathbf E &= -\frac{\partial\mathbf B}{\partial t}, & \nabla\times\mathbf B &= \mu_0\mathbf J + \mu_0\varepsilon_0\frac{\partial\mathbf E}{\partial t}
\end{align}""",
        r"""\begin{align}
\nabla\cdot\mathbf E &= \frac{\rho}{\varepsilon_0}, & \nabla\cdot\mathbf B &= 0, \\
\nabla\times\mathbf E &= \frac{\partial\mathbf B}{\partial t}, & \nabla\times\mathbf B &= \mu_0\mathbf J + \mu_0\varepsilon_0\frac{\partial\mathbf E}{\partial t}
\end{align}""",
    ),
    (
        "curl of a curl",
        r"\nabla\times(\nabla\times\mathbf E) = \nabla(\nabla\cdot\mathbf E) - \nabla^2\mathbf E",
        r"\nabla\times(\nabla\times\mathbf E) = \nabla(\nabla\cdot\mathbf E) + \nabla^2\mathbf E",
    ),
    (
        "parallel resistors",
        r"R = \left(\frac1{R_1} + \frac1{R_2}\right)^{-1} = \frac{R_1R_2}{R_1+R_2}",
        r"R = \left(\frac1{R_1} + \frac1{R_2}\right)^{-1} = \frac{R_1+R_2}{R_1R_2}",
    ),
    (
        "divider",
        r"\frac{V_{\mathrm{out}}}{V_{\mathrm{in}}} = \frac{\frac{1}{sC}}{R + \frac{1}{sC}} = \frac{1}{1 + sRC}",
        r"\frac{V_{\mathrm{out}}}{V_{\mathrm{in}}} = \frac{\frac{1}{sC}}{R + \frac{1}{sC}} = \frac{1}{1 + sR/C}",
    ),
    (
        "impedance",
        r"\lvert Z\rvert^2 = (R + i X)(R - i X) = R^2 + X^2",
        r"\lvert Z\rvert^2 = (R + i X)(R - i X) = R^2 - X^2",
    ),
    (
        "dipole",
        r"V = \frac{q}{4\pi\varepsilon_0}\left(\frac{1}{r-\frac d2} - \frac{1}{r+\frac d2}\right) = \frac{q}{4\pi\varepsilon_0}\,\frac{d}{r^2-\frac{d^2}{4}}",
        r"V = \frac{q}{4\pi\varepsilon_0}\left(\frac{1}{r-\frac d2} - \frac{1}{r+\frac d2}\right) = \frac{q}{4\pi\varepsilon_0}\,\frac{2d}{r^2-\frac{d^2}{4}}",
    ),
    (
        "invariant interval",
        r"""\begin{eqnarray}
c^2t'^2 - x'^2 &=& \gamma^2\left(ct - \beta x\right)^2 - \gamma^2\left(x - \beta ct\right)^2 \nonumber \\
&=& \gamma^2(1-\beta^2)(c^2t^2 - x^2)
\end{eqnarray}""",
        r"""\begin{eqnarray}
c^2t'^2 - x'^2 &=& \gamma^2\left(ct - \beta x\right)^2 - \gamma^2\left(x - \beta ct\right)^2 \nonumber \\
&=& \gamma^2(1-\beta^2)(c^2t^2 + x^2)
\end{eqnarray}""",
    ),
    (
        "Fresnel",
        r"\left(\frac{n_1-n_2}{n_1+n_2}\right)^2 + \frac{4n_1n_2}{(n_1+n_2)^2} = 1",
        r"\left(\frac{n_1-n_2}{n_1+n_2}\right)^2 + \frac{2n_1n_2}{(n_1+n_2)^2} = 1",
    ),
    (
        "Gauss",
        r"\oint_S \mathbf E\cdot d\mathbf A = \frac{Q_{\text{enc}}}{\varepsilon_0}",
        r"\oint_S \mathbf E\cdot d\mathbf A = \varepsilon_0 Q_{\text{enc}}",
    ),
    (
        "determinant in an array",
        r"\left|\begin{array}{cc} a & b \\ c & d \end{array}\right| = ad - bc",
        r"\left|\begin{array}{cc} a & b \\ c & d \end{array}\right| = ad + bc",
    ),
    (
        "wave equation",
        r"\frac{\partial^2 E}{\partial x^2} = \mu_0\varepsilon_0\frac{\partial^2 E}{\partial t^2}",
        r"\frac{\partial^2 E}{\partial x^2} = -\mu_0\varepsilon_0\frac{\partial^2 E}{\partial t^2}",
    ),
    (
        "ring on its axis",
        r"B = \frac{\mu_0 I}{4\pi}\int_0^{2\pi} \frac{R^2}{(R^2+z^2)^{3/2}}\,d\phi = \frac{\mu_0 I R^2}{2(R^2+z^2)^{3/2}}",
        r"B = \frac{\mu_0 I}{4\pi}\int_0^{2\pi} \frac{R^2}{(R^2+z^2)^{3/2}}\,d\phi = \frac{\mu_0 I R^2}{4(R^2+z^2)^{3/2}}",
    ),
    (
        "a stored charge",
        r"""\begin{multline}
\frac{1}{2} C (V_1 + V_2)^2 = \frac{1}{2} C V_1^2 + \frac{1}{2} C V_2^2 \\
 + C V_1 V_2
\end{multline}""",
        r"""\begin{multline}
\frac{1}{2} C (V_1 + V_2)^2 = \frac{1}{2} C V_1^2 + \frac{1}{2} C V_2^2 \\
 - C V_1 V_2
\end{multline}""",
    ),
    (
        "macros of the author",
        r"""\newcommand{\eps}{\varepsilon_0} \newcommand{\half}{\tfrac{1}{2}} \newcommand{\abs}[1]{\lvert #1 \rvert}
\begin{equation} u = \half\eps \abs{E}^2 + \half \eps E^2 = \eps E^2 \end{equation}""",
        r"""\newcommand{\eps}{\varepsilon_0} \newcommand{\half}{\tfrac{1}{2}} \newcommand{\abs}[1]{\lvert #1 \rvert}
\begin{equation} u = \half\eps \abs{E}^2 + \half \eps E^2 = 2 \eps E^2 \end{equation}""",
    ),
    (
        "velocity addition",
        r"u \overset{\text{def}}{=} \frac{v + w}{1 + vw/c^2} = \frac{c^2 (v + w)}{c^2 + vw}",
        r"u \overset{\text{def}}{=} \frac{v + w}{1 + vw/c^2} = \frac{c^2 (v + w)}{c^2 - vw}",
    ),
]
DISPLAYS = MECHANICS + CONTROL + STATISTICS + ELECTRODYNAMICS
FOUND = {  # of which the false twin is called false; of the others something must be declared
    "double pendulum, speed",
    "double pendulum, energy over two lines",
    "square of a cross matrix",
    "two rotations",
    "inertia of a rod",
    "equilibrium",
    "range of a throw",
    "reduced mass",
    "a rolling wheel",
    "Koenig",
    "small oscillations",
    "central force",
    "closed loop",
    "second order",
    "partial fractions",
    "Kalman, scalar",
    "characteristic polynomial",
    "poles",
    "magnitude",
    "PID",
    "Tustin",
    "inverse of a double integrator",
    "Euler's formula in a response",
    "normal density",
    "Pascal",
    "binomial by factorials",
    "two Gaussians",
    "logistic",
    "log odds",
    "likelihood",
    "parallel resistors",
    "divider",
    "impedance",
    "dipole",
    "invariant interval",
    "determinant in an array",
    "a stored charge",
    "macros of the author",
    "velocity addition",
}
